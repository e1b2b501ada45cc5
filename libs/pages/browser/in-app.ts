// Shows a note to visitors inside an app, whose browser may not open what the page offers. A WebView of Android has `; wv`, and one
// of iOS lacks `Safari/`; some apps name only themselves.
(() => {
  const isInApp =
    /; wv\)|\b(?:FBA[NV]|FB_IAB|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Snapchat|Pinterest\/)/.test(
      navigator.userAgent,
    ) || /^(?=.*\b(?:iPhone|iPad|iPod)\b)(?!.*\bSafari\/)/.test(navigator.userAgent);
  if (!isInApp) return;
  for (const note of document.querySelectorAll<HTMLElement>('[data-in-app]')) note.hidden = false;
})();
