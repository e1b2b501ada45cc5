export {
  applyChosenPlatform,
  applyPlatformHint,
  classifyAgent,
  classifyVisit,
  readCampaign,
  readLanguage,
  readReferrerHost,
  refusesRecognition,
} from './routing/classify.js';
export type { Agent, CountedRequest, VisitHeaders } from './routing/classify.js';
export { UNKNOWN_COUNTRY, isCountryCode } from './routing/classify.js';
export { compileLink, decide, targetOf } from './routing/decide.js';
export type { CompiledLink, Decision } from './routing/decide.js';
export { DEVICES } from './routing/agent-details.js';
export { PLATFORMS, USER_AGENT_LENGTH_MAX } from './routing/platform.js';
export { cleanVisitorQuery } from './routing/decide.js';
