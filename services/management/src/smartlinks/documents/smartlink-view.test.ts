import { expect, test } from 'vitest';
import { remainingReason, unsafeUrlReason } from './smartlink-view.js';

const BAD = 'https://bad.example/';
const GOOD = 'https://good.example/';
const reasonAt = (...paths: string[]) => ({
  code: 'UNSAFE_URL' as const,
  details: paths.map((path) => ({ path, message: 'URL was judged unsafe' })),
});
const button = (link: string) => ({ title: 'a', link });
const pausedLanding = {
  type: 'Landing' as const,
  routing: null,
  availability: null,
  open_graph: { imageUrl: GOOD },
  content: { Landing: { landingButtons: [button(GOOD), button(BAD)] } },
  pause_reason: reasonAt('landingButtons.1.link'),
};

test('an unsafe URL that has moved is named at each of its new paths', () => {
  const parts = {
    content: { landingButtons: [button(BAD), button(GOOD)] },
    openGraph: { imageUrl: BAD },
    routing: null,
    availability: null,
  };
  expect(remainingReason(pausedLanding, parts)).toEqual(
    reasonAt('landingButtons.0.link', 'openGraph.imageUrl'),
  );
});

test('nothing is left of the reason once the unsafe URL is gone, whatever else stays or comes', () => {
  const parts = {
    content: { landingButtons: [button(GOOD), button('https://new.example/')] },
    openGraph: null,
    routing: null,
    availability: null,
  };
  expect(remainingReason(pausedLanding, parts)).toBeNull();
});

test('a link that its owner has paused gets no reason', () => {
  const own = { ...pausedLanding, pause_reason: null };
  expect(
    remainingReason(own, {
      content: pausedLanding.content.Landing,
      openGraph: null,
      routing: null,
      availability: null,
    }),
  ).toBeNull();
});

test('a reason names a hundred URLs at most', () => {
  const unsafe = Array.from({ length: 101 }, (_, i) => ({ path: `a.${i}.url`, url: BAD }));
  expect(unsafeUrlReason(unsafe)?.details).toHaveLength(100);
});
