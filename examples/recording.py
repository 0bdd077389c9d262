# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Which encoded frames examples/record writes to which file. Times are running times in ns."""

import collections

NEVER = float("inf")

# Encoders reorder no more frames than that.
REORDER = 16

# A video without key frames for that long is reported.
MAX_KEYLESS = 30 * 10**9

Frame = collections.namedtuple("Frame", "time key size data")


class Event:
    """A span of activity. Its end is NEVER while it lasts."""

    def __init__(self, number, start, data=None):
        self.number, self.start, self.end, self.data = number, start, NEVER, data


class Plan:
    """Keeps the last frames and cuts files out of them.

    A file starts at the last key frame no later than `before` ahead of the start of an event,
    or at the first key frame that there is, and ends with the last frame no later than `after`
    behind its end, which is reported up to `gap` late. An event that starts within `before` of
    the end of a file joins it. At most max_bytes of frames are kept, and the one that is added.

    `out` has the methods open(frame, event), which returns a file; lost(event, why), for an
    event without one; and say(sentence). A file has write(frame), which returns False to be
    asked again later, and close(events, why), where why is None if the file is complete.
    """

    def __init__(self, before, after, gap, max_bytes, out):
        self.before, self.after, self.gap = before, after, gap
        self.max_bytes, self.out = max_bytes, out
        self.frames = collections.deque()
        self.bytes = 0
        self.first = 0              # number of frames[0], counted from the start
        self.keys = collections.deque()         # numbers of the key frames in frames
        self.keyless_since = None   # time of the first frame that no key frame came before
        self.has_overflowed = False
        self.waiting = collections.deque()      # events that have no file yet
        self.known = -1             # all events that start until then were reported
        self.newest = -1
        self.finished = False
        self.file = None
        self.events = []            # of the file
        self.next = self.begun = 0  # numbers of the next and the first frame for the file
        self.blocked = False        # the file did not take it

    def add(self, frame):
        """The next frame in the order of decoding."""
        self.newest = max(self.newest, frame.time)
        if not self.keys and not frame.key and not self.file:
            self.miss_key(frame)
        else:
            if frame.key:
                self.keys.append(self.count())
                self.keyless_since = None
            self.frames.append(frame)
            self.bytes += frame.size
        self.advance()
        while self.bytes > self.max_bytes:
            self.overflow()

    def start(self, event):
        self.waiting.append(event)
        self.advance()

    def end(self, event, time):
        event.end = time
        self.advance()

    def reach(self, time):
        """All events that start until then were reported."""
        self.known = max(self.known, time)
        self.advance()

    def finish(self):
        """There will be no more frames and events."""
        self.finished = True
        self.known = self.newest = NEVER
        self.advance()
        if self.file:
            self.close()
        while self.waiting:
            self.lose()

    # ---

    def frame(self, number):
        return self.frames[number - self.first]

    def count(self):
        return self.first + len(self.frames)

    def advance(self):
        while self.proceed() if self.file else self.begin():
            pass
        self.trim()

    def begin(self):
        """Opens a file. Returns whether there may be more to do."""
        if not self.waiting:
            return False
        event = self.waiting[0]
        wanted = event.start - self.before
        if self.newest <= wanted:
            return False
        number = next((n for n in reversed(self.keys) if self.frame(n).time <= wanted),
                      self.keys[0] if self.keys else None)
        stop = self.least_end([event]) + self.after
        if number is None or self.frame(number).time > stop:
            if event.end == NEVER or self.newest <= stop:
                return False
            self.lose()
            return True
        self.waiting.popleft()
        self.file = self.out.open(self.frame(number), event)
        self.events, self.next, self.begun = [event], number, number
        return True

    def proceed(self):
        """Continues the file. Returns whether there may be more to do."""
        lasts = self.lasting()
        stop = self.least_end(self.events) + self.after
        if self.waiting and (lasts or self.waiting[0].start - self.before <= stop):
            self.events.append(self.waiting.popleft())
            return True
        while within := self.is_within(self.next, stop):
            self.blocked = not self.file.write(self.frame(self.next))
            if self.blocked:
                return False
            self.next += 1
        if within is None or lasts or self.known < stop + self.before:
            return False
        self.close()
        return True

    def least_end(self, events):
        """The time until which there is activity for certain."""
        return max(self.known - self.gap if event.end == NEVER else event.end for event in events)

    def lasting(self):
        return [event for event in self.events if event.end == NEVER]

    def is_within(self, number, stop):
        """Whether this frame or one behind it is no later than stop; None: not known yet."""
        for i in range(number, min(number + REORDER, self.count())):
            frame = self.frame(i)
            if frame.time <= stop:
                return True
            if frame.key:
                return False
        return False if self.finished or number + REORDER <= self.count() else None

    def close(self, why=None):
        self.file.close(self.events, why)
        self.file, self.events, self.blocked = None, [], False

    def lose(self):
        self.out.lost(self.waiting.popleft(), "there was no key frame")

    # ---

    def group_end(self):
        """Number of the first key frame behind the oldest frame, or None."""
        return next((n for n in self.keys if n > self.first), None)

    def drop_group(self):
        until = self.group_end() or self.count()
        while self.first < until:
            self.bytes -= self.frames.popleft().size
            self.first += 1
        while self.keys and self.keys[0] < until:
            self.keys.popleft()

    def trim(self):
        """Drops what no event can want any more."""
        while (until := self.group_end()) and not self.waiting \
                and self.frame(until).time <= self.known - self.before \
                and (not self.file or until <= self.next):
            self.drop_group()

    def overflow(self):
        if not self.has_overflowed:
            self.has_overflowed = True
            self.out.say(f"more than {self.max_bytes >> 20} MiB of video wait in memory: files may "
                         "start late")
        until = self.group_end() or self.count()
        if self.file and not self.blocked and self.lasting():
            self.write_until(until)
        if self.file and self.next < until:
            if self.blocked and self.next == self.begun and until < self.count():
                self.next = self.begun = until
            else:
                self.interrupt()
        self.drop_group()

    def write_until(self, until):
        while self.next < until and not self.blocked:
            self.blocked = not self.file.write(self.frame(self.next))
            self.next += not self.blocked

    def interrupt(self):
        """Closes the file. Events that last continue in the next one."""
        lasting = self.lasting()
        self.close("the disk is too slow" if self.blocked else None)
        self.waiting.extendleft(reversed(lasting))

    def miss_key(self, frame):
        if self.keyless_since is None:
            self.keyless_since = frame.time
        elif 0 <= self.keyless_since < frame.time - MAX_KEYLESS:
            self.keyless_since = -1
            self.out.say(f"there was no key frame for {MAX_KEYLESS // 10**9} s: nothing can be "
                         "recorded until one comes")
