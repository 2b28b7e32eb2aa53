// A node's end of Podestà's line (hardware/PROTOCOL.md) for Arduino: says hello, counts, adds checksums, sends
// again what is not answered, and goes on counting after a reset. C++11, nothing on the heap.
//
//   PodestaLine line(Serial, "pad-1", "1", "key");
//   void setup() { Serial.begin(115200); }
//   void loop() {
//     line.poll();
//     if (pressed()) line.send("key", "ok");
//   }
#pragma once

#include <Arduino.h>

#ifndef PODESTA_SAID
#define PODESTA_SAID 48  // bytes a line to be kept may have: kind, arguments and an end
#endif
#ifndef PODESTA_WAITING
#define PODESTA_WAITING 4  // lines that may wait for their answers
#endif
#ifndef PODESTA_HEARD
#define PODESTA_HEARD 128  // bytes kept of what the box says; the rest of a long line is cut off
#endif

class PodestaLine {
 public:
  // `caps` is as in the protocol's hello, such as "step,ask"; `seat` a letter where the node is one player's.
  PodestaLine(Stream &io, const char *name, const char *version, const char *caps, char seat = 0)
      : io_(io), name_(name), version_(version), caps_(caps), seat_(seat) {}

  // Whether the box has answered the hello.
  bool ready() const { return ready_; }

  // Say a line. Returns its number, 0 when it was not taken: try again later. With `keep` it waits its turn and
  // is sent again each second until it is answered; without, as for telemetry, it is sent once and now.
  uint32_t send(const char *kind, const char *args = "", bool keep = true) {
    if (!known_) return 0;
    if (!keep) {
      if (!ready_) return 0;
      begin(++number_);
      put(kind);
      put(" ");
      put(args);
      end();
      return number_;
    }
    if (waiting_ == PODESTA_WAITING || strlen(kind) + strlen(args) + 2 > PODESTA_SAID) return 0;
    Kept &kept = queue_[(first_ + waiting_++) % PODESTA_WAITING];
    kept.number = ++number_;
    strcpy(kept.text, kind);
    strcat(kept.text, " ");
    strcat(kept.text, args);
    if (waiting_ == 1) due_ = true;
    return number_;
  }

  // Read and say what is due; call it in every loop(). True when a line of the box was heard: see kind(), args().
  bool poll() {
    bool heard = false;
    while (!heard && io_.available()) heard = take(io_.read());
    if (ready_ ? waiting_ && late() : late()) {
      due_ = false;
      said_ms_ = millis();
      if (ready_) {
        begin(queue_[first_].number);
        put(queue_[first_].text);
      } else {
        begin(++number_);
        put("hello ");
        put(name_);
        put(" ");
        put(version_);
        put(" ");
        put(caps_);
        if (seat_) {
          char seat[] = " seat=a";
          seat[6] = seat_;
          put(seat);
        }
      }
      end();
    }
    return heard;
  }

  // The line heard last, until the next poll(): "ack" and "17 4", for example.
  const char *kind() const { return kind_; }
  const char *args() const { return args_; }

 private:
  struct Kept {
    uint32_t number;
    char text[PODESTA_SAID];
  };

  bool late() const { return due_ || millis() - said_ms_ >= 1000; }

  static uint16_t crc16(uint16_t crc, char byte) {
    crc ^= uint16_t(uint8_t(byte)) << 8;
    for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
    return crc;
  }

  void begin(uint32_t number) {
    io_.write('\n');  // ends whatever stands half said on the wire
    sum_ = 0;
    char digits[11];
    ultoa(number, digits, 10);
    put(digits);
    put(" ");
  }

  void put(const char *text) {
    for (; *text; text++) {
      sum_ = crc16(sum_, *text);
      io_.write(*text);
    }
  }

  void end() {
    io_.write('*');
    for (int8_t shift = 12; shift >= 0; shift -= 4) io_.write("0123456789ABCDEF"[sum_ >> shift & 15]);
    io_.write('\n');
  }

  // One more byte; true when it completed a good line. The last five wait, as they may be the checksum.
  bool take(char byte) {
    if (byte != '\n' && byte != '\r') {
      if (held_ == 5) {
        keep(tail_[0]);
        memmove(tail_, tail_ + 1, --held_);
      }
      tail_[held_++] = byte;
      return false;
    }
    bool checked = held_ == 5 && tail_[0] == '*', good = false;
    if (checked) {
      char digits[5] = {tail_[1], tail_[2], tail_[3], tail_[4], 0};
      good = strtoul(digits, nullptr, 16) == heard_sum_;
    } else {
      for (uint8_t at = 0; at < held_; at++) keep(tail_[at]);
    }
    heard_[length_] = 0;
    args_ = heard_ + length_;
    held_ = length_ = 0;
    heard_sum_ = 0;
    kind_ = strchr(heard_, ' ');
    if (!kind_) {
      kind_ = args_;
      return false;
    }
    if (char *space = strchr(++kind_, ' ')) {
      *space = 0;
      args_ = space + 1;
    }
    // Before it has heard a checksum the box has said nothing but a hello that answers nobody.
    if (!(checked ? good : !strcmp(kind_, "hello") && !strstr(args_, "re="))) return false;
    follow();
    return true;
  }

  void keep(char byte) {
    heard_sum_ = crc16(heard_sum_, byte);
    if (length_ < PODESTA_HEARD - 1) heard_[length_++] = byte;
  }

  void follow() {
    if (!strcmp(kind_, "hello")) {
      if (strncmp(args_, "podesta ", 8)) return;  // our own: a port that is being opened sends back what comes
      again();
      if (strstr(args_, " re=")) {
        const char *last = strstr(args_, " last=");
        uint32_t done = last ? strtoul(last + 6, nullptr, 10) : 0;
        if (done > number_) number_ = done;
        ready_ = known_ = true;
      }
      return;
    }
    bool err = !strcmp(kind_, "err");
    const char *code = strchr(args_, ' ');
    if (err && code && !strncmp(code, " hello", 6)) {
      if (ready_) again();
    } else if (err && code && !strncmp(code, " busy", 5)) {
      // The same again in a second.
    } else if (strcmp(kind_, "event") && waiting_ && *args_ != '-' &&
               strtoul(args_, nullptr, 10) == queue_[first_].number) {
      first_ = (first_ + 1) % PODESTA_WAITING;
      waiting_--;
      due_ = true;
    }
  }

  void again() {
    ready_ = false;
    due_ = true;
  }

  Stream &io_;
  const char *name_, *version_, *caps_;
  char seat_;
  bool ready_ = false, known_ = false, due_ = true;
  uint32_t number_ = 0, said_ms_ = 0;
  Kept queue_[PODESTA_WAITING];
  uint8_t first_ = 0, waiting_ = 0, held_ = 0;
  uint16_t sum_ = 0, heard_sum_ = 0, length_ = 0;
  char tail_[5], heard_[PODESTA_HEARD] = "";
  char *kind_ = heard_, *args_ = heard_;
};
