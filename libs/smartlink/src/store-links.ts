/** The links of an App by their names in the API, in its order, and whose each is. */
export const STORE_LINKS = {
  appStoreLink: 'iPhone and iPod; iPad too, without a link of its own.',
  googlePlayLink: 'Android; Huawei and Fire devices too, without a link of their own.',
  windowsAppLink: 'Windows.',
  macOsAppLink: 'Mac.',
  ipadAppLink: 'iPad.',
  appGalleryLink: 'Huawei and HarmonyOS devices.',
  amazonStoreLink: 'Fire devices.',
  fallBackLink: 'Everybody else. Without it they get a page that lists the stores.',
} as const;

export type StoreLinkName = keyof typeof STORE_LINKS;

export const STORE_LINK_NAMES = Object.keys(STORE_LINKS) as readonly StoreLinkName[];
