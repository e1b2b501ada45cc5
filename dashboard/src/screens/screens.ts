import { activityRoute } from './activity/route.js';
import { adminScreens } from './admin/route.js';
import { editLinkRoute, newLinkRoute } from './editor/route.js';
import { importRoute } from './import/route.js';
import { linkRoute } from './link/route.js';
import { linksRoute } from './links/route.js';
import { overviewRoute } from './overview/route.js';
import { qrRoute } from './qr/route.js';
import { settingsScreens } from './settings/route.js';
import { signInRoute } from './sign-in/route.js';
import { webhookRoute, webhooksRoute } from './webhooks/route.js';
import { welcomeRoute } from './welcome/route.js';

// A screen is a folder and a line here. Menus show the screens whose routes have `navigation`.

/** For signed-in people. */
export const screens = [
  overviewRoute,
  linksRoute,
  newLinkRoute,
  editLinkRoute,
  linkRoute,
  qrRoute,
  importRoute,
  activityRoute,
  webhooksRoute,
  webhookRoute,
  settingsScreens,
  adminScreens,
] as const;

export const screensWithoutSession = [signInRoute, welcomeRoute] as const;
