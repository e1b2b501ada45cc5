// Removes a picture that cannot be loaded, and its box if that has no placeholder. Otherwise the page shows an empty box, and
// WebKit its own sign, which only a script can prevent (measured).
(() => {
  const remove = (image: EventTarget | null): void => {
    if (!(image instanceof HTMLImageElement)) return;
    const box = image.parentElement;
    if (box?.classList.contains('ph') !== true) return;
    if (image.nextElementSibling !== null) {
      image.remove();
      return;
    }
    // The words beside it take its place.
    box.parentElement?.classList.remove('f');
    box.remove();
  };
  // `error` does not bubble.
  document.addEventListener(
    'error',
    (event) => {
      remove(event.target);
    },
    true,
  );
  // A copy: `images` is live, and iteration would skip the element after each removed one.
  for (const image of Array.from(document.images)) {
    if (image.complete && image.naturalWidth === 0) remove(image);
  }
})();
