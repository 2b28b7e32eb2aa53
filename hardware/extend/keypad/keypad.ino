// Six buttons that are the box's keys, over the line. Each button connects its pin with GND; the lamp on the
// board is lit while the box hears it. README.md tells how to try it.
#include "PodestaLine.h"

struct Button {
  uint8_t pin;
  const char *kind, *args;  // what a press says
  const char *held;         // what holding it says instead; 0: the press is said at once
  bool down, said;
  uint32_t since_ms;
};

Button buttons[] = {
    {2, "key", "turn -1", 0},
    {3, "key", "turn +1", 0},
    {4, "key", "ok", 0},
    {5, "key", "back", "back hold"},
    {6, "key", "undo", 0},
    {7, "key", "call", "call hold"},
};
const uint32_t BOUNCE_MS = 15, HOLD_MS = 800;

PodestaLine line(Serial, "keypad-1", "1", "key");

void follow(Button &button) {
  bool down = digitalRead(button.pin) == LOW;
  uint32_t for_ms = millis() - button.since_ms;
  if (down != button.down) {
    if (for_ms < BOUNCE_MS) return;
    button.down = down;
    button.since_ms = millis();
    if (down && !button.held) line.send(button.kind, button.args);
    if (!down && button.held && !button.said) line.send(button.kind, button.args);
    button.said = false;
  } else if (down && button.held && !button.said && for_ms >= HOLD_MS) {
    button.said = true;
    line.send(button.kind, button.held);
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
  for (Button &button : buttons) pinMode(button.pin, INPUT_PULLUP);
}

void loop() {
  line.poll();
  digitalWrite(LED_BUILTIN, line.ready());
  for (Button &button : buttons) follow(button);
}
