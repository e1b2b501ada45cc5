// A button that opens the system's own list of where a page can be sent to. Browsers without one never show it.
(() => {
  if (typeof navigator.share !== 'function') return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      // The page may stand under another address, as that of its code, where a visit counts as a scan.
      const url = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href;
      // Refused when the visitor closes the list again.
      navigator.share({ title: document.title, url }).catch(() => undefined);
    });
  }
})();
