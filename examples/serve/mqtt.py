# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Records as messages of MQTT.

PREFIX/state              online, or offline as the last will; retained
PREFIX/ID/state           whether the stream is on, and how many records were lost; retained
PREFIX/ID/counts          components, and counts of lines and zones, if they change; retained
PREFIX/ID/events          each event, at least once
PREFIX/ID/components      the components of each frame, if wanted
"""

import asyncio
import collections
import json
import ssl
import time

import paho.mqtt.client as paho

from serve import config, discovery

IN_FLIGHT = 20                  # events that the broker has not confirmed
WAIT = 5                        # seconds for the last messages
KEEPALIVE = 20                  # seconds


class Mqtt:
    def __init__(self, data, service):
        self.data, self.service = data, service
        self.prefix, self.dropped = data["prefix"], 0
        self.events = collections.deque()       # (topic, text)
        self.latest = {}                # of retained topics, to send again
        self.changed = {}               # of counts that wait for their time
        self.lost = collections.Counter()       # events by the ids of streams
        self.connected, self.flying, self.told = False, set(), None
        self.client = self.timer = None

    # --- life -------------------------------------------------------------

    async def start(self):
        """Raises config.Wrong for files that cannot be used. A broker may come later."""
        self.client = client = paho.Client(paho.CallbackAPIVersion.VERSION2,
                                           client_id=self.data.get("client-id", ""))
        host, _, port = self.data["broker"].rpartition(":") if ":" in self.data["broker"].split(
            "]")[-1] else (self.data["broker"], "", "8883" if self.data["tls"] else "1883")
        try:
            if "user" in self.data:
                password = None
                if "password-file" in self.data:
                    with open(self.data["password-file"], encoding="utf-8") as f:
                        password = f.read().rstrip("\n")
                client.username_pw_set(self.data["user"], password)
            if self.data["tls"]:
                client.tls_set(self.data.get("ca-file"), self.data.get("cert-file"),
                               self.data.get("key-file"))
        except (OSError, ValueError, ssl.SSLError) as error:
            raise config.Wrong([f"outputs.mqtt: {error}"]) from None
        client.will_set(f"{self.prefix}/state", "offline", qos=1, retain=True)
        client.max_inflight_messages_set(IN_FLIGHT)
        client.reconnect_delay_set(1, 60)

        # The client calls from its own thread, with its locks held.
        def later(function, *arguments):
            self.service.loop.call_soon_threadsafe(function, *arguments)

        client.on_connect = lambda *a: later(self.connect, a[3])
        client.on_disconnect = lambda *a: later(self.disconnect, a[3])
        client.on_connect_fail = lambda *_: later(self.say, "the broker cannot be reached")
        client.on_publish = lambda *a: later(self.confirm, a[2])
        client.connect_async(host.strip("[]"), int(port), KEEPALIVE)
        client.loop_start()
        self.timer = self.service.task(self.work())
        for each in self.service.streams.values():
            self.take(each, "state", each.describe_status())

    async def stop(self):
        self.timer.cancel()
        end = time.monotonic() + WAIT
        while self.connected and (self.events or self.flying) and time.monotonic() < end:
            await asyncio.sleep(0.05)
        left = len(self.events) + len(self.flying)
        if left:
            self.service.say(f"mqtt: {left} events are lost: the broker has not taken them")
        if self.connected:
            await self.service.ask(self.publish(f"{self.prefix}/state", "offline").wait_for_publish,
                                   WAIT)
        self.client.disconnect()
        await self.service.ask(self.client.loop_stop)

    def say(self, sentence):
        """Once."""
        if sentence != self.told:
            self.told = sentence
            self.service.say(f"mqtt: {self.data['broker']}: {sentence}")

    # --- the broker -------------------------------------------------------

    def connect(self, reason):
        if reason.is_failure:
            self.say(f"the broker refuses: {reason}")
            return
        self.connected = True
        self.publish(f"{self.prefix}/state", "online")
        for topic, text in self.latest.items():
            self.publish(topic, text)
        self.say(f"connected; {len(self.events)} events waited, {self.dropped} records are lost "
                 "so far")
        self.send()

    def disconnect(self, reason):
        self.connected = False
        if reason.is_failure:
            self.say(f"the broker is gone: {reason}")

    def confirm(self, number):
        self.flying.discard(number)
        self.send()

    def send(self):
        while self.connected and self.events and len(self.flying) < IN_FLIGHT:
            topic, text = self.events.popleft()
            self.flying.add(self.client.publish(topic, text, qos=1).mid)

    def publish(self, topic, text):
        return self.client.publish(topic, text, qos=1, retain=True)

    # --- records ----------------------------------------------------------

    def wants(self, kind):
        return kind != "components" or self.data["components"]

    def take(self, each, kind, record):
        topic = f"{self.prefix}/{each.name}/{kind}"
        if kind == "components":
            if self.connected:
                self.client.publish(topic, record.rstrip(b"\n"))
            else:
                self.drop(each)
        elif kind == "events":
            if len(self.events) >= self.data["queue"]:
                self.lose(self.events.popleft()[0])
            self.events.append((topic, json.dumps(record)))
            self.send()
        elif kind == "counts":
            self.changed[each.name] = record
        else:
            self.retain(topic, json.dumps(record | {"events_lost": self.lost[each.name]}))
            if self.data.get("discovery"):
                self.discover(each)

    def lose(self, topic):
        """The oldest event."""
        name = topic.split("/")[-2]
        self.lost[name] += 1
        if name in self.service.streams:
            self.drop(self.service.streams[name])

    def drop(self, each):
        self.dropped += 1
        each.totals.add("dropped")

    def retain(self, topic, text):
        if self.latest.get(topic) != text:
            self.latest[topic] = text
            if self.connected:
                self.publish(topic, text)

    def discover(self, each):
        messages = dict(discovery.messages(self.data["discovery"], self.prefix, each))
        gone = [topic for topic in self.latest
                if discovery.is_of(topic, each) and topic not in messages]
        for topic, text in messages.items() | {(topic, "") for topic in gone}:
            self.retain(topic, text)

    async def work(self):
        """Counts, at most so often, and losses."""
        told = collections.Counter()
        while True:
            await asyncio.sleep(self.data["interval"])
            changed, self.changed = self.changed, {}
            for name, record in changed.items():
                self.retain(f"{self.prefix}/{name}/counts", json.dumps(record))
            for name, lost in list(self.lost.items()):
                if lost != told[name] and name in self.service.streams and self.connected:
                    told[name] = lost
                    self.service.streams[name].tell_status()

    def forget(self, each):
        """Removes the retained messages of a stream."""
        start = f"{self.prefix}/{each.name}/"
        for topic in list(self.latest):
            if topic.startswith(start) or discovery.is_of(topic, each):
                self.retain(topic, "")
        self.changed.pop(each.name, None)
        self.lost.pop(each.name, None)
