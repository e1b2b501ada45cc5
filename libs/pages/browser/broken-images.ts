// Removes a picture that cannot be loaded, so that its box shows the placeholder. Otherwise WebKit shows its own sign, which
// only a script can prevent (measured).
(() => {
  const remove = (image: EventTarget | null): void => {
    if (image instanceof HTMLImageElement && image.parentElement?.classList.contains('ph') === true) {
      image.remove();
    }
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
