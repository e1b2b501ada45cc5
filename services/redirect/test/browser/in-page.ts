/// <reference lib="dom" />
// What tests run inside of pages. Each is sent to the browser as its own text, so it can use nothing around it.

/** Returns how many pixels the page can be scrolled sideways. */
export function sidewaysPixels(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** Returns the lines that can be read on the page, without the controls that work by script alone. */
export function readableLines(): readonly string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    '[data-menu-search],[data-menu-bar] button,[data-share],[data-copy],[data-eye]',
  );
  const before = [...controls].map(({ hidden }) => hidden);
  for (const control of controls) control.hidden = true;
  const lines = document.body.innerText.split('\n').map((line) => line.trim());
  controls.forEach((control, index) => (control.hidden = before[index] ?? false));
  return lines.filter((line) => line !== '');
}

/** Returns the colour behind everything. */
export function backgroundColor(): string {
  return getComputedStyle(document.documentElement).backgroundColor;
}

/** Resolves when all pictures in sight have come, or will not come. */
export async function picturesInSight(): Promise<void> {
  const inSight = [...document.images].filter((image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  });
  await Promise.all(
    inSight.map(async (image) => {
      image.loading = 'eager';
      await image.decode().catch(() => undefined);
    }),
  );
}

/** Returns how tall the whole page is, in CSS pixels. */
export function wholeHeight(): number {
  return document.documentElement.scrollHeight;
}
