// An iPad that requests the desktop page claims to be a Mac, and only a script can decide: Macs have no touch screen.
// `replace`, so that Back does not return here. The visitor's parameters are kept.
(() => {
  const links = document.querySelectorAll<HTMLAnchorElement>('[data-ipad-or-mac] a');
  const link = links[navigator.maxTouchPoints > 1 ? 0 : 1];
  if (link !== undefined) location.replace(link.href + location.search);
})();
