"use strict";
(() => {
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const make = (name, words, attributes = {}) => {
    const element = document.createElement(name);
    element.textContent = words;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const kept = (store, name) => { try { return store.getItem(name) ?? ""; } catch { return ""; } };
  const keep = (store, name, value) => { try { store.setItem(name, value); } catch { /* not remembered, then */ } };

  // One language at a time, the same everywhere, remembered.
  const choose = (language) => {
    for (const tabs of all(".tabs")) {
      if (!tabs.querySelector(`[data-language="${language}"]`)) return;
      for (const button of all("button", tabs)) button.setAttribute("aria-pressed", String(button.dataset.language === language));
      for (const pre of all("pre[data-language]", tabs.parentElement)) pre.hidden = pre.dataset.language !== language;
    }
  };
  for (const tabs of all(".tabs")) {
    tabs.hidden = false;
    for (const pre of all(":scope > pre[data-language]", tabs.parentElement)) {
      tabs.append(make("button", pre.title, { type: "button", "data-language": pre.dataset.language }));
    }
    tabs.addEventListener("click", (event) => {
      const language = event.target.dataset.language;
      if (!language) return;
      const before = tabs.getBoundingClientRect().top;
      choose(language);
      window.scrollBy(0, tabs.getBoundingClientRect().top - before);
      keep(localStorage, "dossier.docs.language", language);
    });
  }
  choose(kept(localStorage, "dossier.docs.language") || "curl");

  // What is shown can be taken.
  for (const pre of all("pre")) {
    const button = make("button", "Copy", { type: "button", class: "copy" });
    button.addEventListener("click", async () => {
      const words = pre.querySelector("code").textContent;
      try {
        await navigator.clipboard.writeText(words);
      } catch { // without https a browser has no clipboard for pages
        const area = make("textarea", words);
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    pre.prepend(button);
  }

  // Search: every word must be in the operation's name, path, words or fields.
  const search = document.getElementById("search"), found = document.getElementById("found");
  const entries = all("nav li").map((item) => {
    const article = document.getElementById(item.querySelector("a").hash.slice(1));
    return { item, text: `${item.textContent} ${article?.dataset.words ?? ""}`.toLowerCase() };
  });
  search.parentElement.hidden = false;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { item, text } of entries) {
      item.hidden = !words.every((word) => text.includes(word));
      count += item.hidden ? 0 : 1;
    }
    for (const list of all("nav ul")) {
      list.hidden = list.previousElementSibling.hidden = !list.querySelector("li:not([hidden])");
    }
    found.textContent = words.length ? `${count} found` : "";
    document.querySelector("nav").classList.toggle("searching", words.length > 0);
  });
  search.addEventListener("keydown", (event) => {
    const first = document.querySelector("nav li:not([hidden]) a");
    if (event.key === "Enter" && first) location.hash = first.hash;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });

  // Trying it: with a test key only, from this page to its own server.
  for (const article of all("article[data-path]")) {
    const open = make("button", "Try it", { type: "button", class: "try" });
    article.querySelector(".request").append(open);
    open.addEventListener("click", () => { open.replaceWith(form(article)); article.querySelector("form input").focus(); });
  }
  function form(article) {
    const form = make("form", "", { class: "try", "aria-label": "Try it" });
    const ask = (name, value, kind = "input") => {
      const label = make("label", name), input = make(kind, "", { name });
      input.value = value;
      label.append(input);
      form.append(label);
      return input;
    };
    const key = ask("Test key", kept(sessionStorage, "dossier.docs.key"));
    key.autocomplete = "off";
    const places = [...article.dataset.path.matchAll(/\{(\w+)\}/g)].map(([whole, name]) => [whole, ask(name, "")]);
    const get = article.dataset.method === "GET";
    const query = get ? ask("Query, for example limit=5", "") : null;
    const body = article.dataset.body ? ask("Body", article.dataset.body, "textarea") : null;
    const answer = make("pre", "", { tabindex: "0", "aria-live": "polite" }), link = make("p", "");
    form.append(make("button", `Send ${article.dataset.method}`, { type: "submit" }), answer, link);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      link.textContent = "";
      if (!key.value.trim().startsWith("dsr_test_")) {
        answer.textContent = "Give a test key: it begins with dsr_test_. Live keys do not belong into a page for trying out.";
        return;
      }
      keep(sessionStorage, "dossier.docs.key", key.value.trim());
      let path = article.dataset.path;
      for (const [whole, input] of places) path = path.replace(whole, encodeURIComponent(input.value.trim()));
      if (query?.value) path += "?" + query.value;
      const headers = { "x-api-key": key.value.trim() };
      if (body) headers["Content-Type"] = "application/json";
      if (!get) headers["Idempotency-Key"] = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16)).join("");
      try {
        const response = await fetch(path, { method: article.dataset.method, headers, body: body?.value });
        const words = (response.headers.get("content-type") ?? "").includes("json") ?
          JSON.stringify(await response.json(), null, 2) : `(${response.headers.get("content-type") ?? "nothing"})`;
        answer.textContent = `${response.status}\n${words}`;
        link.append(`Request ${response.headers.get("x-request-id")}: `, make("a", "in the log of requests", { href: "#listRequests" }));
      } catch (error) {
        answer.textContent = String(error);
      }
    });
    return form;
  }
})();
