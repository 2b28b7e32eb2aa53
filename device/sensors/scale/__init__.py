"""The scale under the tray."""
