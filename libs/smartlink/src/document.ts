export {
  APPLE_APP_SITE_ASSOCIATION_SHAPE,
  appleAppSiteAssociation,
  appleAppSiteAssociationFile,
  ASSET_LINKS_SHAPE,
  assetLinks,
  assetLinksFile,
} from './app-files.js';
export {
  HIDDEN,
  URL_LENGTH_MAX,
  isPublicIpv4,
  parseContactLink,
  parseDestination,
  parseDomainHost,
} from './destinations.js';
export type { ContactScheme } from './destinations.js';
export { anyTypeShape, documentSchemas } from './type-schemas.js';
export type { SmartlinkDocument } from './type-schemas.js';
export {
  FAULTS_MAX,
  HEX_COLOR,
  NOTES_LENGTH_MAX,
  TAG_LENGTH_MAX,
  appearance,
  choice,
  destination,
  flag,
  folderName,
  hexColor,
  multiLineText,
  instant,
  list,
  mustBe,
  oneLineText,
  optional,
  snippetText,
  tagList,
  tagName,
  utm,
} from './fields.js';
export { AVAILABILITY_STATES, availabilityState, toLinkAvailability } from './availability.js';
export type { Availability, AvailabilityState, LinkAvailability } from './availability.js';
export { redirectOptions } from './redirect-options.js';
export type { RedirectOptions } from './redirect-options.js';
export { check, createSmartlinkValidator, parseStrictJson, sharingFaults } from './validation.js';
export type { Fault, SmartlinkValidator, Validation } from './validation.js';
export type { Routing, RoutingConditions, RoutingRule, RoutingVariant } from './routing-schema.js';
export type {
  AppContent,
  Appearance,
  LinkSnapshot,
  LiveLink,
  OpenGraph,
  PageContent,
  StoreLinks,
  UrlContent,
  Utm,
} from './snapshot.js';
