// Snippets: the button that copies one, and addresses of lines (`#L1234`) that have no anchor.
(() => {
  const COPIED_MS = 2000;
  const text = document.getElementById('text');

  for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) {
    const status = button.parentElement?.querySelector('[role=status]');
    // There is no clipboard where a page came by plain http.
    if (text === null || !status || !('clipboard' in navigator)) continue;
    let timer = 0;
    button.hidden = false;
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(text.textContent).then(
        () => {
          status.textContent = button.querySelector('.swap>:last-child')?.textContent ?? '';
          button.classList.add('done');
          clearTimeout(timer);
          timer = setTimeout(() => {
            status.textContent = '';
            button.classList.remove('done');
          }, COPIED_MS);
        },
        () => undefined,
      );
    });
  }

  // What a browser makes of a selection lacks the last line break and has other ones for a lone carriage return.
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (selection?.rangeCount !== 1 || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    if (text?.contains(range.commonAncestorContainer) !== true) return;
    event.clipboardData?.setData('text/plain', range.toString());
    event.preventDefault();
  });

  const showLine = (): void => {
    document.querySelector('.at')?.classList.remove('at');
    const index = /^#L(\d+)$/.exec(location.hash)?.[1];
    const line = text?.querySelector('code')?.children[Number(index) - 1];
    if (index === undefined || !line) return;
    line.classList.add('at');
    if (line.id === '') line.scrollIntoView({ behavior: 'instant', block: 'center', inline: 'nearest' });
  };
  addEventListener('hashchange', showLine);
  showLine();
})();
