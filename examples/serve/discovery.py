# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""What Home Assistant has to know to show a stream: a device with sensors."""

import json


def sensors(each):
    """(kind, key, name, template, more) of each sensor."""
    yield "binary_sensor", "activity", "Activity", "{{ 'ON' if value_json.activity else 'OFF' }}", {
        "device_class": "motion"}
    yield "sensor", "components", "Objects", "{{ value_json.components }}", {
        "state_class": "measurement"}
    track = (each.data["values"] or {}).get("ccatrack", {})
    for line in track.get("lines", ()):
        for way in "to_left", "to_right":
            yield "sensor", f"{line['name']}_{way}", f"{line['name']} {way.replace('_', ' ')}", \
                f"{{{{ value_json.lines['{line['name']}'].{way} }}}}", {
                    "state_class": "total_increasing"}
    for zone in track.get("zones", ()):
        yield "sensor", f"{zone['name']}_inside", f"{zone['name']} inside", \
            f"{{{{ value_json.zones['{zone['name']}'].inside }}}}", {"state_class": "measurement"}


def node(each):
    return f"cca_{each.name}"


def is_of(topic, each):
    return topic.split("/")[-3:-2] == [node(each)] and topic.endswith("/config")


def messages(root, prefix, each):
    """(topic, text) of each, which are retained."""
    start = f"{prefix}/{each.name}"
    for kind, key, name, template, more in sensors(each):
        yield f"{root}/{kind}/{node(each)}/{key}/config", json.dumps({
            "name": name, "unique_id": f"{node(each)}_{key}", "state_topic": f"{start}/counts",
            "value_template": template, **more,
            "availability": [
                {"topic": f"{prefix}/state"},
                {"topic": f"{start}/state",
                 "value_template": "{{ 'online' if value_json.state == 'on' else 'offline' }}"}],
            "availability_mode": "all",
            "device": {"identifiers": [node(each)], "name": each.data.get("title", each.name),
                       "manufacturer": "gst-cudacca", "model": "cca-serve"}})
