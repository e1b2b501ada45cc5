// Menus are complete without this script.

// Marks the visible category, and scrolls to the heading of the chosen one.
(() => {
  const list = document.querySelector<HTMLElement>('[data-menu-bar] ul');
  const end = document.querySelector('footer');
  if (list === null || end === null || !('IntersectionObserver' in window)) return;
  const sections = [...document.querySelectorAll('main>section')];
  const chips = [...list.querySelectorAll('a')];
  const inView = new Set<Element>();
  let current: Element | undefined;
  let chosen: Element | undefined;
  let isAtEnd = false;
  const mark = (): void => {
    const first = sections.find((section) => inView.has(section)) ?? current ?? sections[0];
    // The last ones may be too short to reach the position at which a category is marked.
    const next = isAtEnd ? (chosen ?? sections[sections.length - 1]) : first;
    const chip = next && chips[sections.indexOf(next)];
    if (!chip || current === next) return;
    for (const other of chips) other.removeAttribute('aria-current');
    chip.setAttribute('aria-current', 'true');
    list.scrollTo(
      chip.offsetLeft + (chip.offsetWidth - list.clientWidth) / 2,
      chip.offsetTop + (chip.offsetHeight - list.clientHeight) / 2,
    );
    current = next;
  };
  const reading = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) inView[isIntersecting ? 'add' : 'delete'](target);
      mark();
    },
    { rootMargin: '-80px 0px -70%' },
  );
  for (const section of sections) reading.observe(section);
  new IntersectionObserver(
    ([entry]) => {
      isAtEnd = entry?.isIntersecting === true && scrollY > 0;
      if (!isAtEnd) chosen = undefined;
      mark();
    },
    { threshold: 1 },
  ).observe(end);
  list.addEventListener('click', ({ target }) => {
    const section = sections[chips.indexOf(target as HTMLAnchorElement)];
    if (section === undefined) return;
    chosen = section;
    // Deferred sections grow when they come near: an engine without scroll anchoring misses the heading. Scrolling again is
    // enough once all sections around it have their height.
    let frames = getComputedStyle(section).contentVisibility === 'auto' ? 20 : 0;
    const settle = (): void => {
      if (frames-- <= 0) return;
      section.scrollIntoView();
      requestAnimationFrame(settle);
    };
    requestAnimationFrame(settle);
  });
  list.dataset['on'] = '';
})();

// Searches names, descriptions and badges, and shows a category with a matching name.
(() => {
  const search = document.querySelector<HTMLElement>('[data-menu-search]');
  const input = search?.querySelector('input');
  const clear = search?.querySelector('button');
  const status = search?.querySelector('p');
  if (!search || !input || !clear || !status) return;
  // Lower case comes first: that of İ has a mark of its own.
  const fold = (text: string): string =>
    text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/ə/g, 'e').replace(/ı/g, 'i');
  const chips = document.querySelectorAll('nav li');
  let sections:
    | { parts: (Element | undefined)[]; items: { item: HTMLElement; text: string }[] }[]
    | undefined;
  const find = (): void => {
    const words = fold(input.value).split(/\s+/);
    sections ??= [...document.querySelectorAll('main>section')].map((section, index) => ({
      parts: [section, chips[index]],
      items: [...section.querySelectorAll<HTMLElement>('.items>li')].map((item) => ({
        item,
        text: fold(
          [...section.querySelectorAll('h2'), ...item.querySelectorAll('h3,p,.b li')]
            .map((part) => part.textContent)
            .join('\n'),
        ),
      })),
    }));
    let found = 0;
    for (const { parts, items } of sections) {
      const before = found;
      for (const { item, text } of items) {
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) found++;
      }
      for (const part of parts) part?.toggleAttribute('hidden', found === before);
    }
    const { found: some = '', none = '' } = search.dataset;
    status.textContent = words.join('') === '' ? '' : found === 0 ? none : some.replace('{n}', String(found));
    clear.hidden = input.value === '';
  };
  input.addEventListener('input', () => {
    find();
    const main = document.querySelector('main');
    if (main && main.getBoundingClientRect().top < 0) main.scrollIntoView();
  });
  // Enter hides a phone's keyboard.
  input.addEventListener('change', () => {
    input.blur();
  });
  clear.addEventListener('click', () => {
    input.value = '';
    find();
    input.focus();
  });
  search.hidden = false;
  // In the bar, for as long as the field itself is out of sight.
  const button = document.querySelector<HTMLElement>('[data-menu-bar] button');
  if (button) {
    button.addEventListener('click', () => {
      input.focus();
    });
    new IntersectionObserver(([entry]) => {
      button.hidden = entry?.isIntersecting === true;
    }).observe(input);
  }
  // The browser may have kept it.
  if (input.value !== '') find();
})();

// Opens an item over the page, where a card opens in its place without script.
(() => {
  const dialog = document.querySelector<HTMLDialogElement>('[data-menu-item]');
  const place = dialog?.querySelector('div');
  if (!dialog?.showModal || !place) return;
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    const card = target.closest('summary')?.closest('li');
    if (card) {
      event.preventDefault();
      const copy = card.cloneNode(true) as HTMLElement;
      const title = copy.querySelector('h3');
      if (title) copy.querySelector('details')?.replaceWith(title);
      place.replaceChildren(
        ...[...copy.querySelectorAll('.p')].filter((box) => box.querySelector('img') !== null),
        ...copy.querySelectorAll(':scope>:not(.p)'),
      );
      place.dir = card.dir;
      place.lang = card.lang;
      dialog.setAttribute('aria-label', title?.textContent ?? '');
      dialog.showModal();
      dialog.scrollTop = 0;
      // So that the Back button closes it.
      if (history.state === null) history.pushState(1, '');
    } else if (target === dialog || target.closest('button')?.parentElement === dialog) dialog.close();
  });
  addEventListener('popstate', () => {
    dialog.close();
  });
  dialog.addEventListener('close', () => {
    if (history.state !== null) history.back();
  });
})();
