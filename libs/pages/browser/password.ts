// Shows and hides what is typed into the field of a password. Hidden again when it is sent, so that browsers offer to keep
// it and no one reads it from the page that is left behind.
(() => {
  for (const eye of document.querySelectorAll<HTMLButtonElement>('[data-eye]')) {
    const input = eye.previousElementSibling as HTMLInputElement;
    const labels = [eye.dataset['eye'] ?? '', eye.dataset['hide'] ?? ''];
    const show = (isShown: boolean): void => {
      input.type = isShown ? 'text' : 'password';
      eye.setAttribute('aria-label', labels[Number(isShown)] ?? '');
    };
    eye.addEventListener('click', () => {
      show(input.type === 'password');
    });
    input.form?.addEventListener('submit', () => {
      show(false);
    });
    eye.hidden = false;
  }
})();
