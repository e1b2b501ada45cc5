// Made of docs/openapi.json by `npm run docs:client`. Edits are lost.

export interface paths {
    readonly "/api/v1/validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check an API key
         * @description Says whether the key is valid. It counts towards the requests of the minute like any other call.
         */
        readonly get: operations["validateKey"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List smartlinks, or fetch one
         * @description With `id` the answer is that smartlink, in any status, with its `ETag`; every other parameter is then without effect.
         *
         *     Without `id` it is a list, newest first: Active ones only, unless `status` says otherwise. Without `limit` and `cursor` it is whole; with them it comes in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`, until neither is there.
         *
         *     While analytics are away, `analytics` holds the last known totals.
         */
        readonly get: operations["readSmartlinks"];
        readonly put?: never;
        /**
         * Create a smartlink
         * @description `configuration.smartlinkType` decides which objects the body needs. What belongs to another type is ignored. Without `smartlinkUrl` the service assigns one.
         *
         *     With an `Idempotency-Key` the first answer is kept for 24 hours and given again to the same request, so a request whose answer got lost can be sent again.
         */
        readonly post: operations["createSmartlink"];
        /**
         * Delete a smartlink
         * @description Marks it as deleted, for good: visitors get 410, changes 404, and it no longer counts against the plan’s limit. Its owner can still fetch it and its analytics, and may use its `smartlinkUrl` again; nobody else can.
         */
        readonly delete: operations["deleteSmartlink"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change parts of a smartlink
         * @description Send `id` and what is to change. Objects merge field by field; arrays replace the old ones whole, `[]` clears them; `null` clears an optional field. The result is checked as a whole by the rules of a create, and on any fault nothing is written.
         *
         *     A new `smartlinkUrl` keeps the old one as an alias, at most 20. With another `smartlinkType` the content of the old type is kept aside and comes back with it. `status` is not changed here.
         *
         *     With `If-Match` the change is made only to the version that was read.
         */
        readonly patch: operations["updateSmartlink"];
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pause or activate a smartlink
         * @description Visitors of a paused smartlink get a page that says so. It counts against the plan’s limit. Before it is active again its URLs are checked again. Asked for the status it has, nothing changes.
         *
         *     The service pauses a smartlink itself when one of its URLs is found unsafe later; `pauseReason` then says which.
         */
        readonly post: operations["setSmartlinkStatus"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink/bulk": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create, change and delete many smartlinks
         * @description Each operation is answered as its single call would be: with its status, its message and its smartlink, or with its error, whose `details` have the paths that the single call’s would have. One that fails holds up none of the others. They are done in the order sent, so an address that one gives up is there for the next.
         *
         *     What succeeds is stored all at once: when the call itself fails, with 500 or 503 say, nothing of it was done. Only a call of the wrong form is refused as a whole with 400; its paths begin with `operations`. Together, answers list at most about 5,000 faults.
         *
         *     With `dryRun` nothing is stored, published or noted, and every answer is what it would be; ids, versions and assigned addresses of creates are made up for it and are not kept. `Idempotency-Key` is then without effect.
         *
         *     With an `Idempotency-Key` the first answer, refusals of operations included, is given again for 24 hours; send what was refused with a new key.
         *
         *     A bulk call is one request to the rate limit. What its patches leave may come to 8 MiB in all; more is 413.
         */
        readonly post: operations["bulkSmartlinks"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink/analytics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the analytics of a smartlink
         * @description Its visits by day, or by `interval`, in UTC unless `tz` says otherwise; the whole history unless `from` or `to` do. Totals are over all time, whatever the range, and the same as in every other answer. `clicks` and `qrScans` add up to the visits; `fallbacks` are among them. Bots and previews are not counted: `excluded` has them by reason. Works for a smartlink in any status.
         *
         *     A plan may hold this to so many days back, and to neither hours nor CSV; asked for more it is `PLAN_RESTRICTED`, and without `from` it begins with the first day allowed.
         */
        readonly get: operations["readAnalytics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/analytics/summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the summary over all smartlinks
         * @description Active and Paused smartlinks, newest first, their totals, and the newest visits.
         */
        readonly get: operations["readSummary"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink/qr": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Draw the QR code of a smartlink
         * @description An image that leads where the smartlink leads and counts as a scan. Fetching it counts nothing. Works for a smartlink in any status.
         */
        readonly get: operations["drawQrCode"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink/resolve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Try where a visitor would go
         * @description What a visitor with this `User-Agent` would get at the smartlink’s address, by which rule, and as what the visit would count. It is the redirect service’s own code, and nothing is counted. The first visit is tried: by the short address, without parameters, with nothing unlocked. Works for a smartlink in any status.
         */
        readonly get: operations["resolveVisit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List webhooks
         * @description All of them, newest first, without their secrets.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Create a webhook
         * @description From now on each of these events is sent to `url`, signed as Standard Webhooks has it. The answer holds the secret, once. A user has at most 20 webhooks.
         */
        readonly post: operations["createWebhook"];
        /**
         * Delete a webhook
         * @description Removes it with its log; what waits is not sent.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a webhook
         * @description Send `id` and what is to change. `eventTypes` replaces the old ones whole, `null` clears `description`. What waits goes to the new `url`; when it is disabled, what waits is given up, and can be sent again from the log.
         */
        readonly patch: operations["updateWebhook"];
        readonly trace?: never;
    };
    readonly "/api/v1/webhooks/rotate-secret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Change the secret of a webhook
         * @description The answer holds the new secret, once. For 24 hours messages carry a signature by each of the two. Of secrets that were changed before, none signs any longer.
         */
        readonly post: operations["rotateWebhookSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/webhooks/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test message
         * @description Queues a message of type `webhook.test`, which every webhook takes; the log tells what became of it.
         */
        readonly post: operations["testWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/webhooks/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the log of a webhook
         * @description What was sent and what waits, newest first, in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. It goes back 7 days, and of what has ended holds the newest 1,000, `visits.recorded` among them 100.
         */
        readonly get: operations["listWebhookDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/webhooks/redeliver": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a message again
         * @description Queues a delivery of the log again, whatever became of it, with the same `webhook-id` and the same body, to the address that the webhook has now. Retries begin anew; one that waits for its next attempt gets it at once, and one that is under way is left to what becomes of it.
         */
        readonly post: operations["redeliverWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read this document
         * @description The OpenAPI 3.1 document of the API, made from the schemas that check requests. It needs no key and counts towards no limit.
         */
        readonly get: operations["readReference"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What a smartlink is made of. `configuration.smartlinkType` tells which of the seven it is; OpenAPI’s `discriminator` cannot say so, as it looks at the top level only. */
        readonly SmartlinkCreate: components["schemas"]["AppCreate"] | components["schemas"]["UrlCreate"] | components["schemas"]["LandingCreate"] | components["schemas"]["QRTagCreate"] | components["schemas"]["DigiCardCreate"] | components["schemas"]["TxtBinCreate"] | components["schemas"]["QrMenuCreate"];
        readonly AppCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "App";
                /** @description iPhone and iPod; iPad too, without a link of its own. */
                readonly appStoreLink?: string | null;
                /** @description Android; Huawei and Fire devices too, without a link of their own. */
                readonly googlePlayLink?: string | null;
                /** @description Windows. */
                readonly windowsAppLink?: string | null;
                /** @description Mac. */
                readonly macOsAppLink?: string | null;
                /** @description iPad. */
                readonly ipadAppLink?: string | null;
                /** @description Huawei and HarmonyOS devices. */
                readonly appGalleryLink?: string | null;
                /** @description Fire devices. */
                readonly amazonStoreLink?: string | null;
                /** @description Everybody else. Without it they get a page that lists the stores. */
                readonly fallBackLink?: string | null;
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
        };
        readonly UrlCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Url";
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly shortener: {
                /** @description Where visitors are led. An http or https address with a public host other than our own. */
                readonly url: string;
                /**
                 * @description Whether visitors are asked for the password.
                 * @default false
                 */
                readonly protected?: boolean | null;
                /**
                 * Format: password
                 * @description Required when `protected` is true; without, it is kept and not asked for. Never returned. A PATCH without it leaves the password as it is.
                 */
                readonly password?: string | null;
            };
        };
        readonly LandingCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Landing";
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly landing: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description A list, or tiles side by side.
                 * @default List
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /**
                 * @description Light, dark, or as the visitor’s device has it.
                 * @default Auto
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
            };
            readonly landingButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`. */
                readonly link: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly iconUrl?: string | null;
            }[] | null;
        };
        readonly QRTagCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QRTag";
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly qrTag: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly qrTagButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description What the button is for: its icon. Without one the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "link" | "restaurant" | "delivery" | "phone" | "email" | "calendar" | "social" | null;
                /** @description Shown in ascending order; without one, last. */
                readonly position?: number | null;
            }[] | null;
        };
        readonly DigiCardCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "DigiCard";
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly digiCard: {
                readonly title?: string | null;
                readonly jobTitle?: string | null;
                readonly company?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description The picture behind the card. */
                readonly bgLink?: string | null;
                /** @description Words on the button that saves the contact; by default in the visitor’s language. */
                readonly ctaText?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly digiCardButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description What the button is for: its icon. Without one the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "phone" | "email" | "website" | "location" | "calendar" | "social" | "whatsapp" | "link" | null;
            }[] | null;
        };
        readonly TxtBinCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "TxtBin";
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly txtBin: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description Kept exactly as it came. */
                readonly text: string;
            };
        };
        readonly QrMenuCreate: {
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QrMenu";
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly qrMenu: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly coverLink?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description Light, dark, or as the visitor’s device has it.
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /**
                 * @description What stands beside prices.
                 * @default ₼
                 */
                readonly currency?: string | null;
                /** @default [] */
                readonly categories?: readonly {
                    readonly name: string;
                    /** @description Shown in ascending order; without one, last. */
                    readonly position?: number | null;
                    /** @default [] */
                    readonly items?: readonly {
                        readonly name: string;
                        readonly description?: string | null;
                        /** @description With variants the lowest price. */
                        readonly price: number;
                        readonly variants?: readonly {
                            readonly label: string;
                            readonly price: number;
                        }[] | null;
                        /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                        readonly imageLink?: string | null;
                        readonly badges?: readonly string[] | null;
                        /** @description Shown in ascending order; without one, last. */
                        readonly position?: number | null;
                        /**
                         * @description Whether the menu shows it.
                         * @default true
                         */
                        readonly active?: boolean | null;
                    }[] | null;
                }[] | null;
            };
        };
        readonly SmartlinkUpdate: {
            /** @description Identifier of the smartlink. */
            readonly id: string;
            readonly configuration?: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName?: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl?: string;
                /** @enum {string} */
                readonly smartlinkType?: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
                /** @description iPhone and iPod; iPad too, without a link of its own. */
                readonly appStoreLink?: string | null;
                /** @description Android; Huawei and Fire devices too, without a link of their own. */
                readonly googlePlayLink?: string | null;
                /** @description Windows. */
                readonly windowsAppLink?: string | null;
                /** @description Mac. */
                readonly macOsAppLink?: string | null;
                /** @description iPad. */
                readonly ipadAppLink?: string | null;
                /** @description Huawei and HarmonyOS devices. */
                readonly appGalleryLink?: string | null;
                /** @description Fire devices. */
                readonly amazonStoreLink?: string | null;
                /** @description Everybody else. Without it they get a page that lists the stores. */
                readonly fallBackLink?: string | null;
            };
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            readonly shortener?: {
                /** @description Where visitors are led. An http or https address with a public host other than our own. */
                readonly url?: string;
                /** @description Whether visitors are asked for the password. */
                readonly protected?: boolean | null;
                /**
                 * Format: password
                 * @description Required when `protected` is true; without, it is kept and not asked for. Never returned. A PATCH without it leaves the password as it is.
                 */
                readonly password?: string | null;
            };
            readonly landing?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /**
                 * @description Light, dark, or as the visitor’s device has it.
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
            };
            readonly landingButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`. */
                readonly link: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly iconUrl?: string | null;
            }[] | null;
            readonly qrTag?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly qrTagButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description What the button is for: its icon. Without one the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "link" | "restaurant" | "delivery" | "phone" | "email" | "calendar" | "social" | null;
                /** @description Shown in ascending order; without one, last. */
                readonly position?: number | null;
            }[] | null;
            readonly digiCard?: {
                readonly title?: string | null;
                readonly jobTitle?: string | null;
                readonly company?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description The picture behind the card. */
                readonly bgLink?: string | null;
                /** @description Words on the button that saves the contact; by default in the visitor’s language. */
                readonly ctaText?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly digiCardButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description What the button is for: its icon. Without one the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "phone" | "email" | "website" | "location" | "calendar" | "social" | "whatsapp" | "link" | null;
            }[] | null;
            readonly txtBin?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description Kept exactly as it came. */
                readonly text?: string;
            };
            readonly qrMenu?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly coverLink?: string | null;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description Light, dark, or as the visitor’s device has it.
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /** @description What stands beside prices. */
                readonly currency?: string | null;
                readonly categories?: readonly {
                    readonly name: string;
                    /** @description Shown in ascending order; without one, last. */
                    readonly position?: number | null;
                    /** @default [] */
                    readonly items?: readonly {
                        readonly name: string;
                        readonly description?: string | null;
                        /** @description With variants the lowest price. */
                        readonly price: number;
                        readonly variants?: readonly {
                            readonly label: string;
                            readonly price: number;
                        }[] | null;
                        /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                        readonly imageLink?: string | null;
                        readonly badges?: readonly string[] | null;
                        /** @description Shown in ascending order; without one, last. */
                        readonly position?: number | null;
                        /**
                         * @description Whether the menu shows it.
                         * @default true
                         */
                        readonly active?: boolean | null;
                    }[] | null;
                }[] | null;
            };
        } & {
            readonly [key: string]: unknown;
        };
        readonly BulkRequest: {
            /** @description Answer as if it were done, and do nothing. */
            readonly dryRun?: boolean;
            /** @description What to do, each the body of its single call. */
            readonly operations: readonly (components["schemas"]["BulkCreate"] | components["schemas"]["BulkPatch"] | components["schemas"]["BulkDelete"])[];
        };
        readonly BulkCreate: {
            readonly create: components["schemas"]["SmartlinkCreate"];
            readonly patch?: unknown;
            readonly delete?: unknown;
        };
        readonly BulkPatch: {
            readonly patch: components["schemas"]["SmartlinkUpdate"];
            /** @description As `If-Match` of PATCH: the `etag` of the version to change, or several, or `*`. */
            readonly ifMatch?: string;
            readonly create?: unknown;
            readonly delete?: unknown;
        };
        readonly BulkDelete: {
            readonly delete: {
                /** @description Identifier of the smartlink. */
                readonly smartlinkId: string;
            };
            readonly create?: unknown;
            readonly patch?: unknown;
        };
        /** @description The key is missing, malformed, unknown, revoked or expired. */
        readonly UnauthorizedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "UNAUTHORIZED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The user's plan does not include this call or parameter. */
        readonly PlanRestrictedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "PLAN_RESTRICTED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The user has as many smartlinks as the plan allows. Deleted ones do not count. */
        readonly SubscriptionLimitReachedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "SUBSCRIPTION_LIMIT_REACHED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
        readonly NotFoundFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "NOT_FOUND";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The path does not take the method; `Allow` lists those it takes. */
        readonly MethodNotAllowedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "METHOD_NOT_ALLOWED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The `Idempotency-Key` was used with another body in the last 24 hours. */
        readonly IdempotencyKeyReusedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "IDEMPOTENCY_KEY_REUSED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The smartlink is not in the version that `If-Match` names. */
        readonly PreconditionFailedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "PRECONDITION_FAILED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The body is larger than 1 MiB, or what the patches of a bulk call would leave is together larger than 8 MiB. */
        readonly PayloadTooLargeFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "PAYLOAD_TOO_LARGE";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The body is not `application/json` in UTF-8, or it is compressed. */
        readonly UnsupportedMediaTypeFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "UNSUPPORTED_MEDIA_TYPE";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description More requests in a minute than the user's plan allows. */
        readonly RateLimitedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "RATE_LIMITED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description A fault of the service. */
        readonly InternalErrorFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "INTERNAL_ERROR";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description A database does not answer, too many passwords wait to be hashed, or, where the operator has set `SAFETY_FAIL_CLOSED`, URLs cannot be checked. Try again later. */
        readonly ServiceUnavailableFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "SERVICE_UNAVAILABLE";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        readonly Smartlink: components["schemas"]["AppSmartlink"] | components["schemas"]["UrlSmartlink"] | components["schemas"]["LandingSmartlink"] | components["schemas"]["QRTagSmartlink"] | components["schemas"]["DigiCardSmartlink"] | components["schemas"]["TxtBinSmartlink"] | components["schemas"]["QrMenuSmartlink"];
        readonly AppSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "App";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "App";
                /** @description iPhone and iPod; iPad too, without a link of its own. */
                readonly appStoreLink?: string;
                /** @description Android; Huawei and Fire devices too, without a link of their own. */
                readonly googlePlayLink?: string;
                /** @description Windows. */
                readonly windowsAppLink?: string;
                /** @description Mac. */
                readonly macOsAppLink?: string;
                /** @description iPad. */
                readonly ipadAppLink?: string;
                /** @description Huawei and HarmonyOS devices. */
                readonly appGalleryLink?: string;
                /** @description Fire devices. */
                readonly amazonStoreLink?: string;
                /** @description Everybody else. Without it they get a page that lists the stores. */
                readonly fallBackLink?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
        };
        /** @description Visits over all time. All 0 on a new smartlink. */
        readonly Totals: {
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link that no store fitted: they got its `fallBackLink` or, without one, the page of stores. */
            readonly totalFallBack: number;
        };
        /** @description Why the service has paused it: a URL was judged unsafe after it was stored. Absent while it is Active, and when its owner has paused it. */
        readonly PauseReason: {
            /** @constant */
            readonly code: "UNSAFE_URL";
            /** @description The URLs that were judged unsafe, 100 at most. */
            readonly details: readonly {
                /**
                 * @description Where the URL stands.
                 * @example shortener.url
                 */
                readonly path: string;
                /** @example URL was judged unsafe */
                readonly message: string;
            }[];
        };
        readonly UrlSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "Url";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Url";
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            readonly shortener: {
                /** @description Where visitors are led. An http or https address with a public host other than our own. */
                readonly url: string;
                /** @description Whether visitors are asked for the password. */
                readonly protected: boolean;
            };
        };
        readonly LandingSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "Landing";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Landing";
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            readonly landing: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string}
                 */
                readonly layout: "List" | "Grid";
                /**
                 * @description Light, dark, or as the visitor’s device has it.
                 * @enum {string}
                 */
                readonly theme: "Light" | "Dark" | "Auto";
            };
            readonly landingButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`. */
                readonly link: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly iconUrl?: string;
            }[];
        };
        readonly QRTagSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "QRTag";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QRTag";
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            readonly qrTag: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
            };
            readonly qrTagButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description What the button is for: its icon. Without one the scheme of the link decides.
                 * @enum {string}
                 */
                readonly preset?: "link" | "restaurant" | "delivery" | "phone" | "email" | "calendar" | "social";
                /** @description Shown in ascending order; without one, last. */
                readonly position?: number;
            }[];
        };
        readonly DigiCardSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "DigiCard";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "DigiCard";
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            readonly digiCard: {
                readonly title?: string;
                readonly jobTitle?: string;
                readonly company?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /** @description The picture behind the card. */
                readonly bgLink?: string;
                /** @description Words on the button that saves the contact; by default in the visitor’s language. */
                readonly ctaText?: string;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
            };
            readonly digiCardButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description What the button is for: its icon. Without one the scheme of the link decides.
                 * @enum {string}
                 */
                readonly preset?: "phone" | "email" | "website" | "location" | "calendar" | "social" | "whatsapp" | "link";
            }[];
        };
        readonly TxtBinSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "TxtBin";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "TxtBin";
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            readonly txtBin: {
                readonly title?: string;
                readonly description?: string;
                /** @description Kept exactly as it came. */
                readonly text: string;
            };
        };
        readonly QrMenuSmartlink: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "QrMenu";
            /** @description The owner. */
            readonly userId: string;
            /** @description The public address. */
            readonly relink: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            readonly configuration: {
                /** @description What its owner calls it. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of dashboard, welcome, pp, tos. A create without it is given one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QrMenu";
            };
            readonly analytics: components["schemas"]["Totals"];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            readonly qrMenu: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                readonly coverLink?: string;
                /**
                 * @description The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
                /**
                 * @description Light, dark, or as the visitor’s device has it.
                 * @enum {string}
                 */
                readonly theme?: "Light" | "Dark" | "Auto";
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string}
                 */
                readonly layout?: "List" | "Grid";
                /** @description What stands beside prices. */
                readonly currency: string;
                readonly categories: readonly {
                    readonly name: string;
                    /** @description Shown in ascending order; without one, last. */
                    readonly position?: number;
                    readonly items: readonly {
                        readonly name: string;
                        readonly description?: string;
                        /** @description With variants the lowest price. */
                        readonly price: number;
                        readonly variants?: readonly {
                            readonly label: string;
                            readonly price: number;
                        }[];
                        /** @description An http or https address with a public host; stored and returned as a browser normalises it. */
                        readonly imageLink?: string;
                        readonly badges?: readonly string[];
                        /** @description Shown in ascending order; without one, last. */
                        readonly position?: number;
                        /** @description Whether the menu shows it. */
                        readonly active: boolean;
                    }[];
                }[];
            };
        };
        /** @description The body, a query parameter or a header breaks a rule; `details` lists every fault. */
        readonly ValidationFailedFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "VALIDATION_FAILED";
                readonly message: string;
                readonly details: readonly components["schemas"]["Fault"][];
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        readonly Fault: {
            /**
             * @description Where: a dotted path with array indexes; empty for the body itself.
             * @example configuration.smartlinkUrl
             */
            readonly path: string;
            /**
             * @description What is wrong, for people.
             * @example Invalid URL format
             */
            readonly message: string;
        };
        /** @description Another smartlink has, or once had, this `smartlinkUrl`. */
        readonly SmartlinkUrlTakenFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "SMARTLINK_URL_TAKEN";
                readonly message: string;
                readonly details: readonly components["schemas"]["Fault"][];
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        /** @description The URL safety check judged a URL malicious; `details` names each. */
        readonly UnsafeUrlFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "UNSAFE_URL";
                readonly message: string;
                readonly details: readonly components["schemas"]["Fault"][];
            };
            /**
             * Format: date-time
             * @description When it was answered, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
        };
        readonly BulkCreated: {
            /** @constant */
            readonly status: 201;
            /** @constant */
            readonly success: true;
            /** @description What was done, for people. */
            readonly message: string;
            readonly data: components["schemas"]["Smartlink"];
            /**
             * @description The version of the smartlink, for `ifMatch`.
             * @example "7301"
             */
            readonly etag: string;
        };
        readonly BulkUpdated: {
            /** @constant */
            readonly status: 200;
            /** @constant */
            readonly success: true;
            /** @description What was done, for people. */
            readonly message: string;
            readonly data: components["schemas"]["Smartlink"];
            /**
             * @description The version of the smartlink, for `ifMatch`.
             * @example "7301"
             */
            readonly etag: string;
        };
        readonly BulkDeleted: {
            /** @constant */
            readonly status: 200;
            /** @constant */
            readonly success: true;
            /** @description What was done, for people. */
            readonly message: string;
            readonly data: null;
        };
        readonly BulkRefused: {
            /**
             * @description The HTTP status of the single call.
             * @example 409
             */
            readonly status: number;
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @enum {string} */
                readonly code: "VALIDATION_FAILED" | "SUBSCRIPTION_LIMIT_REACHED" | "NOT_FOUND" | "SMARTLINK_URL_TAKEN" | "PRECONDITION_FAILED" | "UNSAFE_URL" | "SERVICE_UNAVAILABLE";
                readonly message: string;
                /** @description What is wrong, by its path in the body of the operation. */
                readonly details?: readonly {
                    readonly path: string;
                    readonly message: string;
                }[];
            };
        };
        /** @description Totals are over all time, whatever the range. */
        readonly SmartlinkAnalytics: {
            readonly smartlinkId: string;
            readonly smartlinkName: string;
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link that no store fitted: they got its `fallBackLink` or, without one, the page of stores. */
            readonly totalFallBack: number;
            /** @description Visitors told apart within a UTC day; of a longer span the sum of its days. Who sends `Sec-GPC: 1` or `DNT: 1` is not among them. */
            readonly uniqueVisitors: number;
            /**
             * @description Visits by the host that led here; `direct` without one, `other` for the rest.
             * @example {
             *       "direct": 3,
             *       "example.net": 2
             *     }
             */
            readonly referrers: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by operating system; `other` is unknown.
             * @example {
             *       "Android": 3,
             *       "iOS": 2
             *     }
             */
            readonly operatingSystems: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits that did not count, by reason.
             * @example {
             *       "bot": 4
             *     }
             */
            readonly excluded: {
                readonly [key: string]: number;
            };
            /** @description Oldest first. Without `fill` only what had visits. */
            readonly analyticsData: readonly components["schemas"]["AnalyticsEntry"][];
        };
        readonly AnalyticsEntry: {
            /**
             * @description `YYYY-MM-DD`: the day, the Monday of the week, the first of the month; or `YYYY-MM-DDTHH:00`.
             * @example 2026-03-10
             */
            readonly date: string;
            readonly clicks: number;
            readonly qrScans: number;
            /** @description Clicks and scans of an App link that no store fitted: they got its `fallBackLink` or, without one, the page of stores. */
            readonly fallbacks: number;
            /**
             * @description Clicks and scans by country code; `XX` is unknown.
             * @example {
             *       "AZ": 4,
             *       "XX": 1
             *     }
             */
            readonly countries: {
                readonly [key: string]: number;
            };
            /**
             * @description Clicks and scans by class of device: mobile, tablet, desktop, tv, wearable, console, other.
             * @example {
             *       "mobile": 4,
             *       "desktop": 1
             *     }
             */
            readonly devices: {
                readonly [key: string]: number;
            };
            /**
             * @description Clicks and scans by browser; `other` is unknown.
             * @example {
             *       "Chrome": 3,
             *       "Safari": 2
             *     }
             */
            readonly browsers: {
                readonly [key: string]: number;
            };
            /** @description Visitors told apart within a UTC day; of a longer span the sum of its days. Who sends `Sec-GPC: 1` or `DNT: 1` is not among them. */
            readonly uniqueVisitors: number;
            /**
             * @description Visits by the host that led here; `direct` without one, `other` for the rest.
             * @example {
             *       "direct": 3,
             *       "example.net": 2
             *     }
             */
            readonly referrers: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by operating system; `other` is unknown.
             * @example {
             *       "Android": 3,
             *       "iOS": 2
             *     }
             */
            readonly operatingSystems: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits that did not count, by reason.
             * @example {
             *       "bot": 4
             *     }
             */
            readonly excluded: {
                readonly [key: string]: number;
            };
        };
        readonly Summary: {
            readonly user: {
                readonly id: string;
                readonly email: string;
                /**
                 * @description Name of the plan.
                 * @example Professional
                 */
                readonly subscription: string;
            };
            readonly summary: {
                /** @description Active and Paused ones. */
                readonly totalSmartlinks: number;
                readonly totalClicks: number;
                readonly totalQrCodeScans: number;
                readonly totalFallbacks: number;
            };
            /** @description Newest first, at most 1,000. */
            readonly smartlinks: readonly {
                readonly id: string;
                readonly name: string;
                /** @enum {string} */
                readonly type: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
                readonly clicks: number;
                readonly qrScans: number;
            }[];
            /** @description The newest visits, at most 20. */
            readonly recentActivity: readonly {
                readonly smartlinkId: string;
                /** @enum {string} */
                readonly action: "click" | "qr_scan" | "fallback";
                /**
                 * Format: date-time
                 * @description When the visit was, in UTC.
                 * @example 2026-03-10T12:00:00.000Z
                 */
                readonly timestamp: string;
                /**
                 * @description Country code; `XX` is unknown.
                 * @example AZ
                 */
                readonly country: string;
                /**
                 * @description Class of device.
                 * @example mobile
                 */
                readonly device: string;
            }[];
        };
        readonly ResolvedVisit: {
            readonly smartlinkId: string;
            /** @description The address that is visited. */
            readonly relink: string;
            readonly visitor: {
                /** @description A program, or who sends no `User-Agent`. */
                readonly isBot: boolean;
                /** @description A bot that makes the preview of a link for a message or a post. */
                readonly isPreview: boolean;
                /** @description Says it is a Mac, and may be an iPad. */
                readonly mayBeIpad: boolean;
                /**
                 * @description Whose store fits; `other` has none.
                 * @enum {string}
                 */
                readonly platform: "fire" | "huawei" | "android" | "ipad" | "iphone" | "mac" | "windows" | "other";
                /**
                 * @description Class of device.
                 * @example mobile
                 * @enum {string}
                 */
                readonly device: "mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other";
                /**
                 * @description Operating system; `other` is unknown.
                 * @example Android
                 */
                readonly os: string;
                /**
                 * @description Browser; `other` is unknown.
                 * @example Chrome
                 */
                readonly browser: string;
                /**
                 * @description The country given; `XX` is unknown.
                 * @example AZ
                 */
                readonly country: string;
            };
            /**
             * @description What the visitor gets: a `redirect`, the smartlink’s own `page`, the list of its stores (`storeList`), a page that tells iPads from Macs (`ipadOrMac`), the `passwordForm`, the tags that a link preview is made of (`openGraph`), or a page that says it is `paused` or `deleted`.
             * @enum {string}
             */
            readonly decision: "redirect" | "page" | "storeList" | "ipadOrMac" | "passwordForm" | "openGraph" | "paused" | "deleted";
            /** @description Where a redirect leads, without the visitor’s own parameters; null for every other decision. */
            readonly location: string | null;
            /**
             * @description What decided. For a redirect the field it leads to: `url` or one of the store links. `noStore`: no store fits and there is no `fallBackLink`. `ipadSaysMac`: iPads say they are Macs, and theirs is another store. `type`: it is a page. `password`: it is protected. `linkPreview`: a messenger asks. `status`: it is not Active.
             * @enum {string}
             */
            readonly rule: "url" | "appStoreLink" | "googlePlayLink" | "windowsAppLink" | "macOsAppLink" | "ipadAppLink" | "appGalleryLink" | "amazonStoreLink" | "fallBackLink" | "noStore" | "ipadSaysMac" | "type" | "password" | "linkPreview" | "status";
            /** @description What the visit would count as; null when nothing would be recorded. */
            readonly counted: {
                /**
                 * @description Always `click`: the address of a QR code is not tried.
                 * @enum {string}
                 */
                readonly source: "click" | "scan";
                /**
                 * @description `target`, `page` and `fallback` count; `excluded` is tallied by reason and counts nowhere else.
                 * @enum {string}
                 */
                readonly outcome: "target" | "page" | "fallback" | "excluded";
                /**
                 * @description Why the visit does not count, as in the `excluded` of analytics; null when it does.
                 * @enum {string|null}
                 */
                readonly excluded: "bot" | "head" | "prefetch" | "form" | "paused" | "deleted" | null;
            } | null;
            /** @description With `ipadOrMac`: what follows for an iPad. */
            readonly ifIpad?: components["schemas"]["VisitRoute"];
            /** @description With `ipadOrMac`: what follows for a Mac. */
            readonly ifMac?: components["schemas"]["VisitRoute"];
        };
        readonly VisitRoute: {
            /**
             * @description What the visitor gets: a `redirect`, the smartlink’s own `page`, the list of its stores (`storeList`), a page that tells iPads from Macs (`ipadOrMac`), the `passwordForm`, the tags that a link preview is made of (`openGraph`), or a page that says it is `paused` or `deleted`.
             * @enum {string}
             */
            readonly decision: "redirect" | "page" | "storeList" | "ipadOrMac" | "passwordForm" | "openGraph" | "paused" | "deleted";
            /** @description Where a redirect leads, without the visitor’s own parameters; null for every other decision. */
            readonly location: string | null;
            /**
             * @description What decided. For a redirect the field it leads to: `url` or one of the store links. `noStore`: no store fits and there is no `fallBackLink`. `ipadSaysMac`: iPads say they are Macs, and theirs is another store. `type`: it is a page. `password`: it is protected. `linkPreview`: a messenger asks. `status`: it is not Active.
             * @enum {string}
             */
            readonly rule: "url" | "appStoreLink" | "googlePlayLink" | "windowsAppLink" | "macOsAppLink" | "ipadAppLink" | "appGalleryLink" | "amazonStoreLink" | "fallBackLink" | "noStore" | "ipadSaysMac" | "type" | "password" | "linkPreview" | "status";
            /** @description What the visit would count as; null when nothing would be recorded. */
            readonly counted: {
                /**
                 * @description Always `click`: the address of a QR code is not tried.
                 * @enum {string}
                 */
                readonly source: "click" | "scan";
                /**
                 * @description `target`, `page` and `fallback` count; `excluded` is tallied by reason and counts nowhere else.
                 * @enum {string}
                 */
                readonly outcome: "target" | "page" | "fallback" | "excluded";
                /**
                 * @description Why the visit does not count, as in the `excluded` of analytics; null when it does.
                 * @enum {string|null}
                 */
                readonly excluded: "bot" | "head" | "prefetch" | "form" | "paused" | "deleted" | null;
            } | null;
        };
        readonly Webhook: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly id: string;
            /** @description Where messages are sent to. */
            readonly url: string;
            /** @description What it is for. */
            readonly description?: string;
            /** @description What it is told of. */
            readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "visits.recorded")[];
            /** @description Whether messages are queued and sent. */
            readonly isEnabled: boolean;
            /** @description Why the service has disabled it. Absent when its owner did. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered, in UTC. Absent while messages are taken.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly failingSince?: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        readonly CreatedWebhook: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly id: string;
            /** @description Where messages are sent to. */
            readonly url: string;
            /** @description What it is for. */
            readonly description?: string;
            /** @description What it is told of. */
            readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "visits.recorded")[];
            /** @description Whether messages are queued and sent. */
            readonly isEnabled: boolean;
            /** @description Why the service has disabled it. Absent when its owner did. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered, in UTC. Absent while messages are taken.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly failingSince?: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            /** @description What its messages are signed with. Shown here and never again. */
            readonly secret: string;
        };
        readonly RotatedWebhook: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly id: string;
            /** @description Where messages are sent to. */
            readonly url: string;
            /** @description What it is for. */
            readonly description?: string;
            /** @description What it is told of. */
            readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "visits.recorded")[];
            /** @description Whether messages are queued and sent. */
            readonly isEnabled: boolean;
            /** @description Why the service has disabled it. Absent when its owner did. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered, in UTC. Absent while messages are taken.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly failingSince?: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            /** @description What its messages are signed with. Shown here and never again. */
            readonly secret: string;
            /**
             * Format: date-time
             * @description Until when messages are signed with the secret before as well, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly previousSecretUntil: string;
        };
        readonly WebhookDelivery: {
            /**
             * @description Identifier of the delivery: the `webhook-id` that the receiver gets.
             * @example 7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f
             */
            readonly id: string;
            /**
             * @description The webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly webhookId: string;
            /** @enum {string} */
            readonly eventType: "smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "visits.recorded" | "webhook.test";
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly occurredAt: string;
            /**
             * @description `Pending` until it is delivered or, 24 hours after the first attempt, given up.
             * @enum {string}
             */
            readonly status: "Pending" | "Delivered" | "Failed";
            /** @description Attempts that were begun. */
            readonly attempts: number;
            /**
             * Format: date-time
             * @description When the last of them began, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description When the next is due, in UTC. Only while it is Pending; while an attempt is under way, when that is taken for lost.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly nextAttemptAt?: string;
            /** @description The status of the last answer, if there was one. */
            readonly responseStatus?: number;
            /** @description Why the last attempt failed, for people. */
            readonly error?: string;
            /** @description How long the last attempt took. */
            readonly durationMs?: number;
        };
    };
    responses: {
        /** @description `UNAUTHORIZED`: The key is missing, malformed, unknown, revoked or expired. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["UnauthorizedFailure"];
            };
        };
        /** @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter. */
        readonly PlanRestricted: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PlanRestrictedFailure"];
            };
        };
        /** @description `SUBSCRIPTION_LIMIT_REACHED`: The user has as many smartlinks as the plan allows. Deleted ones do not count. */
        readonly SubscriptionLimitReached: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SubscriptionLimitReachedFailure"];
            };
        };
        /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
        readonly NotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["NotFoundFailure"];
            };
        };
        /** @description `METHOD_NOT_ALLOWED`: The path does not take the method; `Allow` lists those it takes. */
        readonly MethodNotAllowed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["MethodNotAllowedFailure"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The `Idempotency-Key` was used with another body in the last 24 hours. */
        readonly IdempotencyKeyReused: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["IdempotencyKeyReusedFailure"];
            };
        };
        /** @description `PRECONDITION_FAILED`: The smartlink is not in the version that `If-Match` names. */
        readonly PreconditionFailed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PreconditionFailedFailure"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 1 MiB, or what the patches of a bulk call would leave is together larger than 8 MiB. */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PayloadTooLargeFailure"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not `application/json` in UTF-8, or it is compressed. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["UnsupportedMediaTypeFailure"];
            };
        };
        /** @description `RATE_LIMITED`: More requests in a minute than the user's plan allows. */
        readonly RateLimited: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["RateLimitedFailure"];
            };
        };
        /** @description `INTERNAL_ERROR`: A fault of the service. */
        readonly InternalError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["InternalErrorFailure"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: A database does not answer, too many passwords wait to be hashed, or, where the operator has set `SAFETY_FAIL_CLOSED`, URLs cannot be checked. Try again later. */
        readonly ServiceUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ServiceUnavailableFailure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request; the logs have it too. */
        readonly "X-Request-Id": string;
        /** @description Requests a minute of the user's plan, over all their keys. */
        readonly "RateLimit-Limit": number;
        /** @description Requests left in the present window. */
        readonly "RateLimit-Remaining": number;
        /** @description Seconds until the window ends. */
        readonly "RateLimit-Reset": number;
        /** @description Seconds to wait before the next try. */
        readonly "Retry-After": number;
        /** @description The methods the path takes. */
        readonly Allow: string;
        /** @description Always `Bearer`. */
        readonly "WWW-Authenticate": string;
        /** @description The version of what is answered; of a smartlink it is what `If-Match` takes. */
        readonly ETag: string;
        readonly ETagOfOne: string;
        /** @description The public address of the new smartlink, as `relink`. */
        readonly Location: string;
        readonly Link: string;
        readonly "X-Next-Cursor": string;
        /** @description Names the file. */
        readonly "Content-Disposition": string;
        readonly CsvDisposition: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly validateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key is valid. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readSmartlinks: {
        readonly parameters: {
            readonly query?: {
                /** @description Fetch this smartlink instead of a list. */
                readonly id?: string;
                /** @description Smartlinks a page; 100 if there is a cursor, and without either the list is whole. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the page before. */
                readonly cursor?: string;
                /** @description Smartlinks in this status; Active if not given. */
                readonly status?: "Active" | "Paused" | "Deleted" | "all";
                /** @description Smartlinks of this type. */
                readonly type?: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
                /** @description Smartlinks whose name or address contains this, whatever the case. */
                readonly q?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A list, or with `id` one smartlink. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly ETag: components["headers"]["ETagOfOne"];
                    readonly Link: components["headers"]["Link"];
                    readonly "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Smartlink"][] | components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createSmartlink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any 1 to 255 visible ASCII characters, such as a UUID, new for each smartlink. What holds an API key is refused. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SmartlinkCreate"];
            };
        };
        readonly responses: {
            /** @description Created: live at its `relink` as soon as this is answered. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly Location: components["headers"]["Location"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["SubscriptionLimitReached"];
            /**
             * @description `SMARTLINK_URL_TAKEN`: Another smartlink has, or once had, this `smartlinkUrl`.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The `Idempotency-Key` was used with another body in the last 24 hours.
             */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SmartlinkUrlTakenFailure"] | components["schemas"]["IdempotencyKeyReusedFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description `UNSAFE_URL`: The URL safety check judged a URL malicious; `details` names each. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnsafeUrlFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteSmartlink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the smartlink. */
                    readonly smartlinkId: string;
                };
            };
        };
        readonly responses: {
            /** @description Deleted. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateSmartlink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of the version to change, or several, or `*`. */
                readonly "If-Match"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SmartlinkUpdate"];
            };
        };
        readonly responses: {
            /** @description The smartlink as it is now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            /** @description `SMARTLINK_URL_TAKEN`: Another smartlink has, or once had, this `smartlinkUrl`. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SmartlinkUrlTakenFailure"];
                };
            };
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description `UNSAFE_URL`: The URL safety check judged a URL malicious; `details` names each. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnsafeUrlFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly setSmartlinkStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the smartlink. */
                    readonly id: string;
                    /** @enum {string} */
                    readonly status: "Active" | "Paused";
                };
            };
        };
        readonly responses: {
            /** @description The smartlink as it is now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description `UNSAFE_URL`: The URL safety check judged a URL malicious; `details` names each. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnsafeUrlFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly bulkSmartlinks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Any 1 to 255 visible ASCII characters, such as a UUID, new for each smartlink. What holds an API key is refused. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BulkRequest"];
            };
        };
        readonly responses: {
            /** @description Every operation was tried: `data` has one result for each, in the order sent. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: readonly (components["schemas"]["BulkCreated"] | components["schemas"]["BulkUpdated"] | components["schemas"]["BulkDeleted"] | components["schemas"]["BulkRefused"])[];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["PlanRestricted"];
            readonly 409: components["responses"]["IdempotencyKeyReused"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readAnalytics: {
        readonly parameters: {
            readonly query: {
                /** @description Identifier of the smartlink. */
                readonly id: string;
                /** @description First day, in `tz`; included. */
                readonly from?: string;
                /** @description Last day, in `tz`; included. */
                readonly to?: string;
                /** @description IANA time zone in which days begin, such as `Asia/Baku`; UTC if not given. */
                readonly tz?: string;
                /** @description Span of one entry; `day` if not given. */
                readonly interval?: "hour" | "day" | "week" | "month";
                /** @description Entries for spans without visits too, at most 10,000. */
                readonly fill?: "zero";
                /** @description Form of the answer; `json` if not given. */
                readonly format?: "json" | "csv";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The figures. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "Content-Disposition": components["headers"]["CsvDisposition"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["SmartlinkAnalytics"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                    readonly "text/csv": string;
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["PlanRestricted"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readSummary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The summary. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["Summary"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly drawQrCode: {
        readonly parameters: {
            readonly query: {
                /** @description id of the smartlink */
                readonly id: string;
                /** @description form of the image */
                readonly format?: "svg" | "png";
                /** @description width and height in pixels */
                readonly size?: number;
                /** @description empty modules on each side */
                readonly margin?: number;
                /** @description level of error correction: M, or H with a logo, unless given; a logo takes Q or H */
                readonly ecc?: "L" | "M" | "Q" | "H";
                /** @description colour of the modules, # and 3, 4, 6 or 8 hexadecimal digits (write # as %23); darker than background, with a contrast of at least 3:1 */
                readonly color?: string;
                /** @description colour of everything else, in the same form */
                readonly background?: string;
                /** @description whether the picture of the smartlink's own logoLink stands in the middle; only in an SVG, as its address: a browser shows it where the SVG is a document or part of a page, not in <img> */
                readonly logo?: "true" | "false";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The image. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "Content-Disposition": components["headers"]["Content-Disposition"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/svg+xml": string;
                    readonly "image/png": unknown;
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly resolveVisit: {
        readonly parameters: {
            readonly query: {
                /** @description Identifier of the smartlink. */
                readonly id: string;
                /** @description The visitor’s `User-Agent`; without one the visitor is a bot, as no browser comes so. */
                readonly userAgent?: string;
                /** @description The visitor’s `Sec-CH-UA-Platform` as browsers of the Chromium family send it, quotes included: `"Android"`. */
                readonly secChUaPlatform?: string;
                /** @description Where the visitor is: an ISO 3166-1 alpha-2 code in upper or lower case; `XX` is unknown. It is counted by, and changes no route. */
                readonly country?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What would happen. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["ResolvedVisit"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The webhooks. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Webhook"][];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Where messages are sent to by POST: an http or https address with a public host, by the rules of destinations. Over http anybody on the way can read them. */
                    readonly url: string;
                    /** @description What it is told of, in any order. */
                    readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "visits.recorded")[];
                    /** @description What it is for, for people. */
                    readonly description?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description Created and enabled. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["CreatedWebhook"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the webhook. */
                    readonly webhookId: string;
                };
            };
        };
        readonly responses: {
            /** @description Deleted. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the webhook. */
                    readonly id: string;
                    /** @description Where messages are sent to by POST: an http or https address with a public host, by the rules of destinations. Over http anybody on the way can read them. */
                    readonly url?: string;
                    /** @description What it is told of, in any order. */
                    readonly eventTypes?: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "visits.recorded")[];
                    /** @description What it is for, for people. */
                    readonly description?: string | null;
                    /** @description Whether messages are queued and sent. */
                    readonly isEnabled?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description The webhook as it is now. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["Webhook"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the webhook. */
                    readonly id: string;
                };
            };
        };
        readonly responses: {
            /** @description The webhook with its new secret. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["RotatedWebhook"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the webhook. */
                    readonly id: string;
                };
            };
        };
        readonly responses: {
            /** @description Queued, or under way. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["WebhookDelivery"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query: {
                /** @description Identifier of the webhook. */
                readonly id: string;
                /** @description Deliveries in this status; all of them if not given. */
                readonly status?: "Pending" | "Delivered" | "Failed";
                /** @description Deliveries a page; 100 if not given. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of the log. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly Link: components["headers"]["Link"];
                    readonly "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["WebhookDelivery"][];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly redeliverWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the delivery: the `webhook-id` that the receiver got. */
                    readonly deliveryId: string;
                };
            };
        };
        readonly responses: {
            /** @description Queued, or under way. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for people. */
                        readonly message: string;
                        readonly data: components["schemas"]["WebhookDelivery"];
                        /**
                         * Format: date-time
                         * @description When it was answered, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                    };
                };
            };
            /** @description `VALIDATION_FAILED`: The body, a query parameter or a header breaks a rule; `details` lists every fault. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `NOT_FOUND`: There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readReference: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description An `ETag` of this document. */
                readonly "If-None-Match"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The document. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly openapi: string;
                        readonly info: {
                            readonly title: string;
                            readonly version: string;
                        } & {
                            readonly [key: string]: unknown;
                        };
                        readonly paths: {
                            readonly [key: string]: unknown;
                        };
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
            /** @description As `If-None-Match` has it. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
        };
    };
}
