// An iPad that asks for the desktop's page says it is a Mac, and only script can tell: no Mac's screen feels fingers.
// `replace`, so that going back does not end here again. The visitor's parameters stay.
(() => {
  const links = document.querySelectorAll<HTMLAnchorElement>('[data-ipad-or-mac] a');
  const link = links[navigator.maxTouchPoints > 1 ? 0 : 1];
  if (link !== undefined) location.replace(link.href + location.search);
})();
