import { expect, test } from 'vitest';
import { classifyAgent } from '@smartlink/visits/routing';
import { readAgents } from './run-scenario.js';

const agents = readAgents();
const distinct = [...new Map(agents.map((agent) => [agent.text, agent])).values()];

test.each(distinct)('$text is classified as listed', ({ text, isBot, platform }) => {
  const agent = classifyAgent(text);
  expect([agent.isBot, isBot]).toEqual(Array(2).fill(platform === 'bot'));
  if (isBot) return;
  expect(agent.mayBeIpad).toBe(platform === 'mac-safari');
  if (platform === 'android') expect(agent.platform).toBe('android');
  else if (platform === 'ios') expect(agent.platform).toBe('iphone');
  else expect(['mac', 'windows', 'other']).toContain(agent.platform);
});

test('about one visit in fourteen is by a bot, and half are by phones', () => {
  expect(distinct.length).toBeGreaterThan(35);
  const shareOf = (...platforms: string[]) =>
    agents.filter(({ platform }) => platforms.includes(platform)).length / agents.length;
  expect(shareOf('bot')).toBeCloseTo(1 / 14, 1);
  expect(shareOf('ios', 'android')).toBeGreaterThan(0.5);
});
