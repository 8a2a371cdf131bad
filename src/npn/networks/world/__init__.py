"""The default tracker: one network whose decisions make one world."""
