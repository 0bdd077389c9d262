// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-cudacca authors
"use strict";

const PERIOD = 1000;            // ms between two looks
const figures = new Map();      // by the ids of streams
const visible = new Set();
const sight = new IntersectionObserver(changes => {
  for (const change of changes)
    visible[change.isIntersecting ? "add" : "delete"](change.target.dataset.id);
});

function url(id, name) {
  return `streams/${encodeURIComponent(id)}/${name}`;
}

function set(element, text) {
  if (element.textContent !== text)
    element.textContent = text;
}

function make(stream) {
  const figure = document.getElementById("stream").content.firstElementChild.cloneNode(true);
  figure.dataset.id = stream.id;
  figure.querySelector("button").addEventListener("click", () => watch(figure));
  document.getElementById("streams").append(figure);
  sight.observe(figure);
  figures.set(stream.id, figure);
  return figure;
}

// One at a time moves: a browser has few connections to a server.
function watch(figure) {
  const live = figure.classList.toggle("live");
  document.getElementById("streams").classList.toggle("one", live);
  const image = figure.querySelector("img");
  if (live)
    image.src = url(figure.dataset.id, "live.mjpeg");
  else
    image.removeAttribute("src");
}

function rows(stream) {
  const lines = Object.entries(stream.lines).map(
    ([name, line]) => [name, `← ${line.to_left}`, `→ ${line.to_right}`]);
  const zones = Object.entries(stream.zones).map(
    ([name, zone]) => [name, `${zone.inside} inside`, `${zone.entered} entered`]);
  return [...lines, ...zones];
}

function show(stream) {
  const figure = figures.get(stream.id) || make(stream);
  for (const state of ["connecting", "on", "lost", "failed", "ended"])
    figure.classList.toggle(state, state === stream.state);
  set(figure.querySelector(".title"), stream.title);
  set(figure.querySelector(".state"), stream.why ? `${stream.state}: ${stream.why}` : stream.state);
  set(figure.querySelector(".numbers"), `${stream.rate.toFixed(1)} frames/s, `
    + `${stream.components} components, ${stream.activities} events`);
  figure.querySelector("img").alt = stream.title;
  const table = figure.querySelector("table");
  const texts = rows(stream);
  if (JSON.stringify(texts) !== table.dataset.texts) {
    table.dataset.texts = JSON.stringify(texts);
    table.replaceChildren(...texts.map(cells => {
      const row = document.createElement("tr");
      for (const cell of cells)
        row.insertCell().textContent = cell;
      return row;
    }));
  }
}

async function look() {
  const reply = await fetch("streams");
  if (!reply.ok)
    throw new Error((await reply.json()).errors[0]);
  const {streams} = await reply.json();
  const ids = new Set(streams.map(stream => stream.id));
  for (const [id, figure] of figures)
    if (!ids.has(id)) {
      sight.unobserve(figure);
      visible.delete(id);
      figures.delete(id);
      if (figure.classList.contains("live"))
        document.getElementById("streams").classList.remove("one");
      figure.remove();
    }
  streams.forEach(show);
  const on = streams.filter(stream => stream.state === "on").length;
  set(document.getElementById("summary"), `${on} of ${streams.length} on`);
  return streams;
}

async function picture(stream) {
  const figure = figures.get(stream.id);
  if (stream.state !== "on" || !visible.has(stream.id) || figure.classList.contains("live"))
    return;
  const reply = await fetch(url(stream.id, "snapshot.jpg"));
  if (!reply.ok || figure.classList.contains("live"))
    return;
  const image = figure.querySelector("img");
  const old = image.src;
  image.src = URL.createObjectURL(await reply.blob());
  if (old.startsWith("blob:"))
    URL.revokeObjectURL(old);
}

async function run() {
  for (;;) {
    const begun = performance.now();
    try {
      if (!document.hidden)
        await Promise.all((await look()).map(picture));
    } catch (error) {
      set(document.getElementById("summary"), `no answer: ${error.message}`);
    }
    await new Promise(resolve => setTimeout(resolve, Math.max(
      100, PERIOD - (performance.now() - begun))));
  }
}

run();
