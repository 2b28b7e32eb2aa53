"""Instead of a Pico's pins: nothing."""


class Pin:
    def __init__(self, number):
        pass


class I2C:
    def __init__(self, number, sda, scl):
        pass
