/* An Arduino Uno in simavr, its serial port a pseudo-terminal, its time the wall's.
 *
 * avr_node FIRMWARE.elf LINK: makes LINK the terminal. On standard input "D4 60" pulls a pin to GND for 60 ms of
 * the board's time; "off" and "on" pull the cable and put it back. Changes of pin B5, the lamp, are printed.
 */
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define HERTZ 16000000UL
#define SLICE (HERTZ / 1000)

static avr_t *avr;
static int terminal = -1, far_end = -1;
static const char *name;
static struct { char port; int pin; avr_cycle_count_t until; } pulled[8];

static void plug(void) {
    struct termios raw;
    openpty(&terminal, &far_end, NULL, NULL, NULL);
    tcgetattr(far_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(far_end, TCSANOW, &raw);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    unlink(name);
    if (symlink(ttyname(far_end), name)) exit(2);
}

static void unplug(void) {
    unlink(name);
    close(terminal);
    close(far_end);
    terminal = -1;
}

static void said(struct avr_irq_t *irq, uint32_t value, void *param) {
    unsigned char byte = value;
    if (terminal >= 0 && write(terminal, &byte, 1) < 0) return; /* nobody reads: lost, as on a wire */
}

static void lamp(struct avr_irq_t *irq, uint32_t value, void *param) {
    printf("lamp %u\n", value);
    fflush(stdout);
}

static void level(char port, int pin, int high) {
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), high);
}

static void command(void) {
    static char line[64];
    static size_t length;
    char byte;
    while (read(0, &byte, 1) == 1) {
        if (byte != '\n') {
            if (length < sizeof line - 1) line[length++] = byte;
            continue;
        }
        line[length] = 0;
        length = 0;
        char port;
        int pin, ms;
        if (!strcmp(line, "off")) unplug();
        if (!strcmp(line, "on")) plug();
        if (sscanf(line, "%c%d %d", &port, &pin, &ms) != 3) continue;
        level(port, pin, 0);
        for (int each = 0; each < 8; each++)
            if (!pulled[each].port) {
                pulled[each].port = port;
                pulled[each].pin = pin;
                pulled[each].until = avr->cycle + (avr_cycle_count_t)ms * SLICE;
                break;
            }
    }
}

int main(int count, char **words) {
    elf_firmware_t firmware = {{0}};
    if (count != 3 || elf_read_firmware(words[1], &firmware)) return 2;
    name = words[2];
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = HERTZ;
    avr_load_firmware(avr, &firmware);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POOL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), said, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5), lamp, NULL);
    for (int pin = 2; pin < 8; pin++) level('D', pin, 1);
    fcntl(0, F_SETFL, O_NONBLOCK);
    plug();

    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (avr_cycle_count_t end = 0;;) {
        for (end += SLICE; avr->cycle < end;) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) return 3;
        }
        unsigned char byte;
        /* No faster than 115200 baud; simavr says that it has room again only to firmware that asks its UART. */
        for (int most = 10; most && terminal >= 0 && read(terminal, &byte, 1) == 1; most--)
            avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
        command();
        for (int each = 0; each < 8; each++)
            if (pulled[each].port && avr->cycle >= pulled[each].until) {
                level(pulled[each].port, pulled[each].pin, 1);
                pulled[each].port = 0;
            }
        due.tv_nsec += 1000000;
        if (due.tv_nsec >= 1000000000) due.tv_nsec -= 1000000000, due.tv_sec++;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    }
}
