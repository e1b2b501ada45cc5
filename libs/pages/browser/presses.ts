// Reports presses of buttons by beacon, because Firefox does not by `ping`. The attribute is removed, so that a press is reported
// once.
(() => {
  if (!('sendBeacon' in navigator)) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[ping]')) {
    const address = link.getAttribute('ping') ?? '';
    link.removeAttribute('ping');
    const report = ({ button }: MouseEvent): void => {
      // The middle button opens a new tab, the right one a menu.
      if (button < 2) navigator.sendBeacon(address);
    };
    link.addEventListener('click', report);
    link.addEventListener('auxclick', report);
  }
})();
