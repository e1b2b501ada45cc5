import { expect, test } from 'vitest';
import { classifyAgent } from '@smartlink/visits/routing';
import { AGENTS } from './user-agents.js';

test.each(AGENTS)('$text is what the list says', ({ text, isBot, platform }) => {
  const agent = classifyAgent(text);
  expect(agent.isBot).toBe(isBot);
  if (isBot) return;
  expect(agent.mayBeIpad).toBe(platform === 'mac-safari');
  if (platform === 'android') expect(agent.platform).toBe('android');
  else if (platform === 'ios') expect(agent.platform).toBe('iphone');
  else expect(['mac', 'windows', 'other']).toContain(agent.platform);
});

test('about one visit in fourteen is a program, and half come from phones', () => {
  const shareOf = (wanted) =>
    AGENTS.filter(wanted).reduce((sum, { share }) => sum + share, 0) /
    AGENTS.reduce((sum, { share }) => sum + share, 0);
  expect(shareOf(({ isBot }) => isBot)).toBeCloseTo(1 / 14, 1);
  expect(shareOf(({ platform }) => platform === 'ios' || platform === 'android')).toBeGreaterThan(0.5);
});
