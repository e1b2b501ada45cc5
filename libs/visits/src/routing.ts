export {
  applyChosenPlatform,
  applyPlatformHint,
  classifyAgent,
  classifyAsPerson,
  classifyVisit,
  readCampaign,
  readerOf,
  readLanguage,
  readReferrerHost,
  refusesRecognition,
  sourceOf,
} from './routing/classify.js';
export type { Agent, CountedRequest, VisitHeaders } from './routing/classify.js';
export { closedAt } from './routing/availability.js';
export type { Reader } from './routing/availability.js';
export { chooseRoute, explainRoute, NO_FORMS } from './routing/rules.js';
export type { CompiledRouting, Route, RoutedVisitor, Split } from './routing/rules.js';
export { compileLink, decide, targetOf } from './routing/decide.js';
export type { CompiledLink } from './routing/decide.js';
export type { Closed, Decision } from './routing/decision.js';
export { PLATFORMS, USER_AGENT_LENGTH_MAX } from './routing/platform.js';
export { cleanVisitorQuery } from './routing/decide.js';
