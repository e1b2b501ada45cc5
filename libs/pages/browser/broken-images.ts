// A picture that cannot be had is taken away, so that its box shows what it shows without one. WebKit would show a sign
// of its own otherwise, and only script helps there (measured).
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
  // A list of its own: `images` is alive, and would pass over the one behind each that is taken away.
  for (const image of Array.from(document.images)) {
    if (image.complete && image.naturalWidth === 0) remove(image);
  }
})();
