import type { Agent } from './classify.js';
import type { Device } from './device.js';
import type { System } from './operating-system.js';
import { readHintedPlatform } from './platform.js';
import type { Platform } from './platform.js';

/**
 * Returns `agent` corrected by the Sec-CH-UA-Platform that came with it ('' when none did): where the User-Agent was
 * silent, device and system follow the platform, and the browser stays. Corrections are remembered as long as the agent
 * is, of which there are three at most, so that a hot visit makes no object.
 *
 * Sec-CH-UA-Mobile is not asked for: a browser that sends it says Mobile in its User-Agent when it means it.
 */
export function applyPlatformHint(agent: Agent, secChUaPlatform: string): Agent {
  if (secChUaPlatform === '' || agent.isBot) return agent;
  const platform = readHintedPlatform(agent.platform, secChUaPlatform);
  // Safari sends no hint, so whoever says macOS here has another engine, which no iPad has.
  const isSettled = platform !== agent.platform || (agent.mayBeIpad && secChUaPlatform === '"macOS"');
  return isSettled ? correct(agent, platform) : agent;
}

/** Returns `agent` as the visitor's own browser told it, on the page that tells iPads from Macs. */
export function applyChosenPlatform(agent: Agent, chosen: 'ipad' | 'mac' | null): Agent {
  return chosen === null || agent.isBot ? agent : correct(agent, chosen);
}

const corrections = new WeakMap<Agent, Partial<Record<Platform, Agent>>>();

function correct(agent: Agent, platform: Platform): Agent {
  const known = corrections.get(agent) ?? {};
  const corrected = known[platform];
  if (corrected !== undefined) return corrected;
  const { isBot, isPreview, browser } = agent;
  const { device, os } = platform === agent.platform ? agent : detailsOf(agent, platform);
  const made: Agent = { isBot, isPreview, platform, mayBeIpad: false, device, os, browser };
  corrections.set(agent, { ...known, [platform]: made });
  return made;
}

function detailsOf({ device, os }: Agent, platform: Platform): { device: Device; os: System } {
  // A headset or a television says Linux as a desktop does, and stays what it is.
  const isPlain = device === 'desktop' || device === 'other';
  switch (platform) {
    case 'android':
      // A phone asks for the desktop's page when it is told to, a tablet by itself.
      return { device: isPlain ? 'tablet' : device, os: 'Android' };
    case 'ipad':
      return { device: 'tablet', os: 'iOS' };
    case 'mac':
      return { device: isPlain ? 'desktop' : device, os: 'macOS' };
    case 'windows':
      return { device: isPlain ? 'desktop' : device, os: 'Windows' };
    default:
      return { device, os };
  }
}
