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
         * @description Checks whether the key is valid. The call counts towards the rate limit like any other.
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
    readonly "/api/v1/account": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the account
         * @description The account in use, its plan, what of it is used, and the role of the signed-in person.
         */
        readonly get: operations["readAccount"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Rename the account
         * @description Changes the display name. The e-mail address that the admin command knows the account by stays.
         */
        readonly patch: operations["updateAccount"];
        readonly trace?: never;
    };
    readonly "/api/v1/members": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the members
         * @description The persons who may use the account, the first first. For signed-in Owners.
         */
        readonly get: operations["listMembers"];
        readonly put?: never;
        /**
         * Invite a person
         * @description Only this answer contains the link, which works once and for seven days. Inviting the same address again replaces its open invitation. An account can have at most 200 members, open invitations included.
         */
        readonly post: operations["createInvitation"];
        /**
         * Remove a member
         * @description The person may not use the account from the next request on. What the person made stays.
         */
        readonly delete: operations["removeMember"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the role of a member
         * @description The role takes effect with the next request of the person.
         */
        readonly patch: operations["updateMember"];
        readonly trace?: never;
    };
    readonly "/api/v1/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the account that are not revoked, newest first; expired ones too. For signed-in Owners: a key never creates, changes or rotates keys.
         */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description Only this answer contains the key. Without `scopes` it may do everything; other scopes need a plan with bulk calls. An account can have at most 50 keys. For signed-in Owners: a key never creates, changes or rotates keys.
         */
        readonly post: operations["createKey"];
        /**
         * Revoke an API key
         * @description The key stops working within a second, for good. For signed-in Owners: a key never creates, changes or rotates keys.
         */
        readonly delete: operations["revokeKey"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an API key
         * @description Send `id` and the members to change. `scopes` and `allowedNetworks` replace the whole list; `null` clears `allowedNetworks` and `expiresAt`. A change takes effect within a second. For signed-in Owners: a key never creates, changes or rotates keys.
         */
        readonly patch: operations["updateKey"];
        readonly trace?: never;
    };
    readonly "/api/v1/keys/rotate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replace an API key
         * @description Gives the key a new text, which only this answer contains; name, scopes, networks and expiry stay. The present text goes on working for `graceSeconds`, one from before it no longer. For signed-in Owners: a key never creates, changes or rotates keys.
         */
        readonly post: operations["rotateKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/keys/current": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the API key of the request
         * @description The key that the request carries, whatever its scopes.
         */
        readonly get: operations["readCurrentKey"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the audit log
         * @description The changes of the account, newest first, in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. They name what was changed, never its content. For signed-in Owners.
         */
        readonly get: operations["listChanges"];
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
         * @description With `id` the answer is that smartlink, in any status, with its `ETag`; all other parameters are ignored. `externalId` does the same for one that is not deleted.
         *
         *     Without `id` it is a list, newest first: Active smartlinks that are not archived, unless `status` and `archived` say otherwise. Without `limit` and `cursor` the list is complete; with them it is paged: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`, with the same `sort` and `order`, until both are absent.
         *
         *     While analytics are unavailable, `analytics` holds the last known totals.
         */
        readonly get: operations["readSmartlinks"];
        readonly put?: never;
        /**
         * Create a smartlink
         * @description `configuration.smartlinkType` decides which objects the body needs. Objects of other types are ignored. Without `smartlinkUrl` the service assigns one.
         *
         *     With an `Idempotency-Key` the first answer is kept for 24 hours and sent again for the same request, so it is safe to retry a request whose answer was lost.
         */
        readonly post: operations["createSmartlink"];
        /**
         * Delete a smartlink
         * @description Deletion is permanent: visitors get 410, changes 404, and it no longer counts against the plan’s limit. The owner can still fetch it and its analytics, and may use its `smartlinkUrl` again; no other user can.
         */
        readonly delete: operations["deleteSmartlink"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change parts of a smartlink
         * @description Send `id` and the members to change. Objects merge field by field; an array replaces the stored one, `[]` clears it; `null` clears an optional field. The result is checked by the rules of a create; on any fault nothing is written, and a patch that changes nothing is answered with `Smartlink unchanged`.
         *
         *     A new `smartlinkUrl` keeps the old one as an alias, at most 20. If `smartlinkType` changes, the content of the old type is kept and returns when the type does. `status` cannot be changed here.
         *
         *     With `If-Match` only the named version is changed.
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
         * @description Visitors of a paused smartlink see a page that says so. It still counts against the plan’s limit. Its URLs are checked again before it is activated. If it has the requested status already, nothing changes.
         *
         *     The service itself pauses a smartlink if one of its URLs is later found unsafe; `pauseReason` names the URL.
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
         * Create, change, pause, activate and delete many smartlinks
         * @description Each operation is answered like its single call: with its status, message and smartlink, or with its error, whose `details` have the paths of the single call. A failed operation does not affect the others. They are done in the order sent, so an operation can use an address that an earlier one gave up.
         *
         *     Everything that succeeds is stored together: if the call itself fails, with 500 or 503 for example, nothing is stored. Only a malformed call is refused as a whole with 400; its paths begin with `operations`. Together, the answers list 1,000 faults, and at least one of each operation that has any.
         *
         *     With `dryRun` nothing is stored or published, and every answer is what it would be; ids, versions and assigned addresses of creates are not kept. `Idempotency-Key` then has no effect.
         *
         *     With an `Idempotency-Key` the first answer, including refused operations, is sent again for 24 hours; send refused operations with a new key.
         *
         *     A bulk call counts as one request towards the rate limit. The smartlinks that it patches, pauses or activates may have 8 MiB together; more is 413.
         */
        readonly post: operations["bulkSmartlinks"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/smartlink/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check a draft and preview its page
         * @description Checks a create (`draft`) or a PATCH (`id` and `patch`) as that call would, and writes nothing. The answer is 200 with the faults, with a taken address, an unsafe URL and an exhausted plan among them; their paths are those of the call. The address is checked beside other faults too. Each URL is judged once in ten minutes.
         *
         *     Without faults `url` is the page that visitors would get, in the `view` and the `language`, to be shown in a frame of this service for ten minutes. A session has one such page: the next draft replaces it. A view that the smartlink does not have is replaced by what visitors get there.
         */
        readonly post: operations["previewSmartlink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/admin/safety": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List unsafe and unchecked smartlinks
         * @description Smartlinks of all accounts with unsafe or unchecked URLs. Of their content only the URLs judged unsafe are shown, the first 20. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. For signed-in operators.
         */
        readonly get: operations["listUnsafeSmartlinks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/admin/safety/recheck": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Judge a smartlink again
         * @description Has the URLs of a smartlink judged now. An Active one is paused if one of them is unsafe; one that the service paused is activated if all are safe. `state` is `unchecked` if the provider gave no verdict. For signed-in operators.
         */
        readonly post: operations["recheckSmartlink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/tags": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List tags
         * @description By name. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.
         */
        readonly get: operations["listTags"];
        readonly put?: never;
        /**
         * Create a tag
         * @description A user can have at most 1000 tags. Smartlinks also create the tags that they name.
         */
        readonly post: operations["createTag"];
        /**
         * Delete a tag
         * @description Its smartlinks lose it; their `updatedAt` and `ETag` stay as they are.
         */
        readonly delete: operations["deleteTag"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a tag
         * @description Send `id` and the members to change. `null` clears `color`. `updatedAt` and `ETag` of its smartlinks stay as they are.
         */
        readonly patch: operations["updateTag"];
        readonly trace?: never;
    };
    readonly "/api/v1/tags/merge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Merge two tags
         * @description The smartlinks of `fromId` get the tag `intoId`, and `fromId` is deleted. `updatedAt` and `ETag` of the smartlinks stay as they are.
         */
        readonly post: operations["mergeTags"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/folders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List folders
         * @description Newest first. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.
         */
        readonly get: operations["listFolders"];
        readonly put?: never;
        /**
         * Create a folder
         * @description A user can have at most 500 folders. A smartlink is in one folder at most, which its `folderId` names; folders do not contain folders.
         */
        readonly post: operations["createFolder"];
        /**
         * Delete a folder
         * @description Its smartlinks are in no folder then; their `updatedAt` and `ETag` stay as they are.
         */
        readonly delete: operations["deleteFolder"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a folder
         * @description Send `id` and the members to change. `null` clears `description`.
         */
        readonly patch: operations["updateFolder"];
        readonly trace?: never;
    };
    readonly "/api/v1/utm-templates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List UTM templates
         * @description Newest first. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.
         */
        readonly get: operations["listUtmTemplates"];
        readonly put?: never;
        /**
         * Create a UTM template
         * @description A user can have at most 500 UTM templates. A create of a Url link with `utmTemplateId` copies its `utm`. Later changes of the template do not change the link.
         */
        readonly post: operations["createUtmTemplate"];
        /**
         * Delete a UTM template
         * @description Smartlinks made with it stay as they are.
         */
        readonly delete: operations["deleteUtmTemplate"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a UTM template
         * @description Send `id` and the members to change. Members of `utm` merge.
         */
        readonly patch: operations["updateUtmTemplate"];
        readonly trace?: never;
    };
    readonly "/api/v1/media": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List pictures
         * @description The uploaded pictures, newest first. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.
         */
        readonly get: operations["listMedia"];
        readonly put?: never;
        /**
         * Upload a picture
         * @description The body is one picture, JPEG, PNG, WebP, AVIF or GIF, or a form with it as `file`: at most 10 MiB and 40 megapixels. It is re-encoded, upright and without metadata, in widths of 96, 192, 384, 768 and 1600 pixels up to its own. Pages offer all of them to browsers. The same bytes twice are one picture. A picture that no smartlink has for 30 days is removed.
         */
        readonly post: operations["uploadMedia"];
        /**
         * Delete a picture
         * @description Its addresses stop working within a minute, and for those who have it cached within a year. Refused while an Active or Paused smartlink has one of its addresses.
         */
        readonly delete: operations["deleteMedia"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/domains": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List domains
         * @description Newest first. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.
         */
        readonly get: operations["listDomains"];
        readonly put?: never;
        /**
         * Add a domain
         * @description A user can have at most 100 domains. The domain is `Pending` until the TXT record of `verification` is found, by `POST /domains/verify` or a daily look. Several users may add one host; the first to prove it has it. With `DOMAIN_VERIFICATION=trust` it is `Active` at once.
         */
        readonly post: operations["createDomain"];
        /**
         * Remove a domain
         * @description Only a domain that is the primary address of no Active or Paused smartlink can be removed. Its addresses lead nowhere from then on, even if the host is added again.
         */
        readonly delete: operations["deleteDomain"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a domain
         * @description Send `id` and the members to change; `null` clears one. The files are replaced whole. A new default replaces the old one. Visitors see changes within ten seconds.
         */
        readonly patch: operations["updateDomain"];
        readonly trace?: never;
    };
    readonly "/api/v1/domains/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Look at the records of a domain
         * @description Looks up the TXT record now, at most ten times a minute for each user. If it is found the domain is `Active`; an Active one without it becomes `Failing`. If the DNS does not answer nothing changes. `verification.problem` says what was found.
         */
        readonly post: operations["verifyDomain"];
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
         * @description Visits by day or by `interval`, in UTC or `tz`, over the whole history or the range of `from` and `to`. Totals cover all time, regardless of the range, and equal those of every other answer. `clicks` and `qrScans` add up to the visits and include `fallbacks`. Bots and previews are not counted; `excluded` lists them by reason. Works for a smartlink in any status. `buttons` has the presses of its page, which are no visits. Filters of visits choose presses by their own country, device, browser, system, language, source and campaign; with a filter of referrer, outcome, rule or variant there are none.
         *
         *     A plan may limit the number of days back and exclude hours and CSV. A request beyond the plan fails with `PLAN_RESTRICTED`; without `from`, the range starts with the first day allowed.
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
         * Read the summary of all smartlinks
         * @description Active and Paused smartlinks, newest first, with their totals, and the newest visits.
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
    readonly "/api/v1/analytics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the analytics of many smartlinks
         * @description Visits by day or by `interval`, in UTC or `tz`, of all smartlinks or of those that the filters choose. Totals are those of the range. A visitor counts once for each smartlink and day. With exactly one `id` there are `buttons`, as in the analytics of a smartlink.
         *
         *     Filters of smartlinks choose by what they are now; without any, all smartlinks count, deleted ones too. More than 50,000 that match are `VALIDATION_FAILED`, but for `status` and `archived` alone. Filters of visits read single visits, as far back as they are kept.
         *
         *     A plan may limit the number of days back and exclude filters of visits, hours, real time and CSV: `PLAN_RESTRICTED`. Without `from`, the range starts with the first day allowed.
         */
        readonly get: operations["readAccountAnalytics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/analytics/breakdown": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Break visits down by a dimension
         * @description The values of `by` with their visits, the most first. Rows and `other` add up to `total`, the clicks and scans of `GET /analytics` with the same parameters; of `tag` they may be more, because a visit is in each tag of its smartlink.
         *
         *     `button` has the presses of one smartlink's page, which are no visits: rows of `value`, `title` and `presses`. It needs exactly one `id`. Filters of visits choose presses by their own country, device, browser, system, language, source and campaign; with a filter of referrer, outcome, rule or variant there are none.
         *
         *     Filters of smartlinks choose by what they are now; without any, all smartlinks count, deleted ones too. More than 50,000 that match are `VALIDATION_FAILED`, but for `status` and `archived` alone. Filters of visits read single visits, as far back as they are kept.
         *
         *     A plan may limit the number of days back and exclude filters of visits, hours, real time and CSV: `PLAN_RESTRICTED`. Without `from`, the range starts with the first day allowed.
         */
        readonly get: operations["readBreakdown"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/analytics/realtime": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the visits of the last 30 minutes
         * @description By minute, five seconds old at most. A plan may exclude it: `PLAN_RESTRICTED`.
         *
         *     Filters of smartlinks choose by what they are now; without any, all smartlinks count, deleted ones too. More than 50,000 that match are `VALIDATION_FAILED`, but for `status` and `archived` alone. Filters of visits read single visits, as far back as they are kept.
         */
        readonly get: operations["readRealtime"];
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
         * @description An image of a code that leads to the smartlink; a visit through it counts as a scan. Fetching the image counts nothing. Works for a smartlink in any status.
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
         * Show where a visitor would go
         * @description What a visitor with this `User-Agent` would get at the smartlink’s address, by which rule, and how the visit would be counted. The redirect service’s own code decides, and nothing is counted. The visit is not unlocked. Of rules it names the one that fits, and the conditions of those before that do not; of a split the variants with their shares. Works for a smartlink in any status.
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
    readonly "/api/v1/imports": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List imports, or fetch one
         * @description With `id` that import, otherwise the newest 50. Ended imports are kept for seven days.
         */
        readonly get: operations["readImports"];
        readonly put?: never;
        /**
         * Upload a file of links
         * @description The body is the file, gzip or not: an export, CSV, create bodies as JSON, or a file of Bitly, Shlink, Kutt or YOURLS, of at most 200 MiB (unpacked) and 200000 rows. It is checked as it arrives, and creates nothing. An upload ends when fewer than 16 KiB arrive in a second, over 15 seconds, and after ten minutes. A checked import can be started for 24 hours; an account keeps the 3 newest. For signed-in Editors.
         */
        readonly post: operations["createImport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/imports/start": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Start an import
         * @description Creates the smartlinks of a checked file in the background, at the pace that other accounts allow. The import goes on after a restart of the service. Rows that cannot be stored are refused one by one. Starting it again changes nothing.
         */
        readonly post: operations["startImport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/imports/report": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download the report of an import
         * @description The refused rows, and those that lost something or got another address, with the reason. Before the import is done, the report also says what is expected of the other rows.
         */
        readonly get: operations["readImportReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export all smartlinks
         * @description All smartlinks that are not deleted, with their former addresses, tags, notes, folders by name and totals. For keys with `links:write`, Editors and Owners it has the hashes of passwords: protect it like the database. `POST /imports` and the admin command accept the JSON.
         */
        readonly get: operations["exportSmartlinks"];
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
         * @description All webhooks of the user, newest first, without their secrets.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Create a webhook
         * @description From now on, the service sends each of these events to `url`, signed by the Standard Webhooks specification. Only this answer contains the secret. A user can have at most 20 webhooks.
         */
        readonly post: operations["createWebhook"];
        /**
         * Delete a webhook
         * @description Deletes the webhook and its log. Pending messages are not sent.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a webhook
         * @description Send `id` and the members to change. `eventTypes` replaces the whole list; `null` clears `description`. Pending messages go to the new `url`. When a webhook is disabled, its pending messages fail; they can be sent again from the log.
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
         * @description Only this answer contains the new secret. For 24 hours, messages carry one signature by the new secret and one by the previous secret. Older secrets no longer sign. A signed-in person must have confirmed within the last ten minutes.
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
         * @description Queues a message of type `webhook.test`, which every webhook receives. The log shows its outcome.
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
         * @description Finished and pending deliveries, newest first, in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. The log covers 7 days and the newest 1,000 finished deliveries, at most 100 of them `visits.recorded`.
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
         * @description Queues a delivery of the log again, whatever its status, with the same `webhook-id` and body, to the webhook’s current `url`. A finished delivery starts over with its retries; a pending one is sent at once. A delivery that is being sent at this moment is not changed.
         */
        readonly post: operations["redeliverWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/admin/people": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List people
         * @description Everyone who may sign in, by e-mail address. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. For signed-in operators.
         */
        readonly get: operations["listPeople"];
        readonly put?: never;
        /**
         * Create a person
         * @description Makes a person, optionally a member of an account. `link` lets the person set a password within a day; only this answer contains it. An e-mail address that belongs to a person already gets the membership, and no link if the person has a password. For signed-in operators.
         */
        readonly post: operations["createPerson"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a person
         * @description Disables or enables a person, gives or takes the right to operate, and makes a new `link`, which only this answer contains. All of it holds from the next request of the person on. For signed-in operators.
         */
        readonly patch: operations["updatePerson"];
        readonly trace?: never;
    };
    readonly "/api/v1/admin/accounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List accounts
         * @description All accounts with their plan and use, by e-mail address. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. For signed-in operators.
         */
        readonly get: operations["listAccounts"];
        readonly put?: never;
        /**
         * Create an account
         * @description Makes an account and, with the same e-mail address, its Owner. `link` lets the Owner set a password within a day; only this answer contains it, and none does if the person has a password. For signed-in operators.
         */
        readonly post: operations["createAccount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an account
         * @description Changes its plan, which holds within a second, or its display name. For signed-in operators.
         */
        readonly patch: operations["updateOperatedAccount"];
        readonly trace?: never;
    };
    readonly "/api/v1/admin/plans": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List plans
         * @description All plans, the smallest first. For signed-in operators.
         */
        readonly get: operations["listPlans"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a plan
         * @description Changes limits for all accounts on the plan, within a second. For signed-in operators.
         */
        readonly patch: operations["updatePlan"];
        readonly trace?: never;
    };
    readonly "/api/v1/admin/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check the installation
         * @description Databases, their schemas, changes that wait to be published, rollups, the arrival of visits, and the URL safety provider, each within 3 seconds. `npm run admin -- doctor` checks hosts and configuration too. For signed-in operators.
         */
        readonly get: operations["readHealth"];
        readonly put?: never;
        readonly post?: never;
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
         * @description The OpenAPI 3.1 document of the API, made from the schemas that check requests. It needs no key and does not count towards the rate limit.
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
        /** @description The content of a smartlink. `configuration.smartlinkType` says which of the seven types it is; OpenAPI’s `discriminator` cannot express that, since it only reads top-level members. */
        readonly SmartlinkCreate: components["schemas"]["AppCreate"] | components["schemas"]["UrlCreate"] | components["schemas"]["LandingCreate"] | components["schemas"]["QRTagCreate"] | components["schemas"]["DigiCardCreate"] | components["schemas"]["TxtBinCreate"] | components["schemas"]["QrMenuCreate"];
        readonly AppCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "App";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
                /** @description iPhone and iPod; also iPad without `ipadAppLink`. */
                readonly appStoreLink?: string | null;
                /** @description Android; also Huawei and Fire devices without their own link. */
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
                /** @description All other devices. Without it, they get a page that lists the stores. */
                readonly fallBackLink?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly redirect?: {
                /**
                 * @description Status of the redirect. Browsers keep 301 and 308, and a visit answered from there is not counted; they are refused where the destination depends on the visit.
                 * @enum {number|null}
                 */
                readonly status?: 301 | 302 | 307 | 308 | null;
                /** @description How long a browser may keep the redirect; 0: not at all. A visit answered from there is not counted. */
                readonly cacheSeconds?: number | null;
                /** @description Whether parameters of the visitor are added to the destination. */
                readonly forwardQuery?: boolean | null;
            } | null;
        };
        readonly UrlCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Url";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly shortener: {
                /** @description Destination of visitors: an http or https address with a public host other than that of this service. */
                readonly url: string;
                /**
                 * @description Whether visitors are asked for the password.
                 * @default false
                 */
                readonly protected?: boolean | null;
                /**
                 * Format: password
                 * @description Required if `protected` is true; otherwise it is stored but not used. Never returned. A PATCH without it does not change the password.
                 */
                readonly password?: string | null;
            };
            /** @description Campaign parameters that visitors take to the destination. They replace parameters of the same name in `shortener.url`; parameters of the visitor replace both. */
            readonly utm?: {
                /** @description Value of the parameter `utm_source`. */
                readonly source?: string | null;
                /** @description Value of the parameter `utm_medium`. */
                readonly medium?: string | null;
                /** @description Value of the parameter `utm_campaign`. */
                readonly campaign?: string | null;
                /** @description Value of the parameter `utm_term`. */
                readonly term?: string | null;
                /** @description Value of the parameter `utm_content`. */
                readonly content?: string | null;
                /** @description Value of the parameter `ref`. */
                readonly ref?: string | null;
            } | null;
            readonly redirect?: {
                /**
                 * @description Status of the redirect. Browsers keep 301 and 308, and a visit answered from there is not counted; they are refused where the destination depends on the visit.
                 * @enum {number|null}
                 */
                readonly status?: 301 | 302 | 307 | 308 | null;
                /** @description How long a browser may keep the redirect; 0: not at all. A visit answered from there is not counted. */
                readonly cacheSeconds?: number | null;
                /** @description Whether parameters of the visitor are added to the destination. */
                readonly forwardQuery?: boolean | null;
            } | null;
            /** @description UTM template whose `utm` is copied; members of the own `utm` override its. */
            readonly utmTemplateId?: string | null;
        };
        readonly LandingCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Landing";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly landing: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
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
                 * @description Light, dark, or by the setting of the visitor’s device.
                 * @default Auto
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
            };
            readonly landingButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`. */
                readonly link: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly iconUrl?: string | null;
            }[] | null;
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string|null}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft" | null;
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string|null}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square" | null;
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string|null}
                 */
                readonly background?: "plain" | "tint" | "gradient" | null;
            } | null;
        };
        readonly QRTagCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QRTag";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly qrTag: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly qrTagButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description Purpose of the button, which decides its icon; by default the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "link" | "restaurant" | "delivery" | "phone" | "email" | "calendar" | "social" | null;
                /** @description Shown in ascending order; elements without it come last. */
                readonly position?: number | null;
            }[] | null;
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string|null}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft" | null;
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string|null}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square" | null;
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string|null}
                 */
                readonly background?: "plain" | "tint" | "gradient" | null;
            } | null;
        };
        readonly DigiCardCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "DigiCard";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly digiCard: {
                readonly title?: string | null;
                readonly jobTitle?: string | null;
                readonly company?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description The picture behind the card. */
                readonly bgLink?: string | null;
                /** @description Words on the button that saves the contact; by default in the visitor’s language. */
                readonly ctaText?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly digiCardButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description Purpose of the button, which decides its icon; by default the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "phone" | "email" | "website" | "location" | "calendar" | "social" | "whatsapp" | "link" | null;
            }[] | null;
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string|null}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft" | null;
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string|null}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square" | null;
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string|null}
                 */
                readonly background?: "plain" | "tint" | "gradient" | null;
            } | null;
        };
        readonly TxtBinCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "TxtBin";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly txtBin: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description Stored unchanged. */
                readonly text: string;
            };
        };
        readonly QrMenuCreate: {
            readonly configuration: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string | null;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QrMenu";
                /**
                 * @description Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; `null`: the host of this service. Absent from answers for the host of this service.
                 * @example go.example.com
                 */
                readonly domain?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly qrMenu: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly coverLink?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description Light, dark, or by the setting of the visitor’s device.
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /**
                 * @description Currency shown beside prices.
                 * @default ₼
                 */
                readonly currency?: string | null;
                /** @default [] */
                readonly categories?: readonly {
                    readonly name: string;
                    /** @description Shown in ascending order; elements without it come last. */
                    readonly position?: number | null;
                    /** @default [] */
                    readonly items?: readonly {
                        readonly name: string;
                        readonly description?: string | null;
                        /** @description With variants, the lowest price. */
                        readonly price: number;
                        readonly variants?: readonly {
                            readonly label: string;
                            readonly price: number;
                        }[] | null;
                        /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                        readonly imageLink?: string | null;
                        readonly badges?: readonly string[] | null;
                        /** @description Shown in ascending order; elements without it come last. */
                        readonly position?: number | null;
                        /**
                         * @description Whether the menu shows it.
                         * @default true
                         */
                        readonly active?: boolean | null;
                    }[] | null;
                }[] | null;
                /** @description The line below the menu, in place of the fixed one about allergies. Empty: no line. Left out: the fixed one. */
                readonly footnote?: string | null;
            };
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string|null}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft" | null;
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string|null}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square" | null;
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string|null}
                 */
                readonly background?: "plain" | "tint" | "gradient" | null;
            } | null;
        };
        readonly SmartlinkUpdate: {
            /** @description Identifier of the smartlink. */
            readonly id: string;
            readonly configuration?: {
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName?: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl?: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType?: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
                readonly domain?: string | null;
                /** @description iPhone and iPod; also iPad without `ipadAppLink`. */
                readonly appStoreLink?: string | null;
                /** @description Android; also Huawei and Fire devices without their own link. */
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
                /** @description All other devices. Without it, they get a page that lists the stores. */
                readonly fallBackLink?: string | null;
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string | null;
            } | null;
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Visitors do not see it. */
                    readonly name?: string | null;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string | null;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string | null;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string | null;
                    }[] | null;
                    readonly when: {
                        readonly countries?: readonly string[] | null;
                        readonly languages?: readonly string[] | null;
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[] | null;
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[] | null;
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[] | null;
                        readonly sources?: readonly ("click" | "scan")[] | null;
                        readonly referrers?: readonly string[] | null;
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string | null;
                        }[] | null;
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string | null;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string | null;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days?: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        } | null;
                    };
                }[] | null;
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string | null;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string | null;
                }[] | null;
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string|null}
                 */
                readonly sticky?: "visitor" | "none" | null;
            } | null;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string | null;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string | null;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number | null;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string | null;
            } | null;
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[] | null;
            /** @description The folder it is in. */
            readonly folderId?: string | null;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string | null;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean | null;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string | null;
            readonly shortener?: {
                /** @description Destination of visitors: an http or https address with a public host other than that of this service. */
                readonly url?: string;
                /** @description Whether visitors are asked for the password. */
                readonly protected?: boolean | null;
                /**
                 * Format: password
                 * @description Required if `protected` is true; otherwise it is stored but not used. Never returned. A PATCH without it does not change the password.
                 */
                readonly password?: string | null;
            };
            /** @description Campaign parameters that visitors take to the destination. They replace parameters of the same name in `shortener.url`; parameters of the visitor replace both. */
            readonly utm?: {
                /** @description Value of the parameter `utm_source`. */
                readonly source?: string | null;
                /** @description Value of the parameter `utm_medium`. */
                readonly medium?: string | null;
                /** @description Value of the parameter `utm_campaign`. */
                readonly campaign?: string | null;
                /** @description Value of the parameter `utm_term`. */
                readonly term?: string | null;
                /** @description Value of the parameter `utm_content`. */
                readonly content?: string | null;
                /** @description Value of the parameter `ref`. */
                readonly ref?: string | null;
            } | null;
            readonly redirect?: {
                /**
                 * @description Status of the redirect. Browsers keep 301 and 308, and a visit answered from there is not counted; they are refused where the destination depends on the visit.
                 * @enum {number|null}
                 */
                readonly status?: 301 | 302 | 307 | 308 | null;
                /** @description How long a browser may keep the redirect; 0: not at all. A visit answered from there is not counted. */
                readonly cacheSeconds?: number | null;
                /** @description Whether parameters of the visitor are added to the destination. */
                readonly forwardQuery?: boolean | null;
            } | null;
            readonly landing?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /**
                 * @description Light, dark, or by the setting of the visitor’s device.
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
            };
            readonly landingButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`. */
                readonly link: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly iconUrl?: string | null;
            }[] | null;
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string|null}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft" | null;
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string|null}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square" | null;
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string|null}
                 */
                readonly background?: "plain" | "tint" | "gradient" | null;
            } | null;
            readonly qrTag?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly qrTagButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description Purpose of the button, which decides its icon; by default the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "link" | "restaurant" | "delivery" | "phone" | "email" | "calendar" | "social" | null;
                /** @description Shown in ascending order; elements without it come last. */
                readonly position?: number | null;
            }[] | null;
            readonly digiCard?: {
                readonly title?: string | null;
                readonly jobTitle?: string | null;
                readonly company?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description The picture behind the card. */
                readonly bgLink?: string | null;
                /** @description Words on the button that saves the contact; by default in the visitor’s language. */
                readonly ctaText?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
            };
            readonly digiCardButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description Purpose of the button, which decides its icon; by default the scheme of the link decides.
                 * @enum {string|null}
                 */
                readonly preset?: "phone" | "email" | "website" | "location" | "calendar" | "social" | "whatsapp" | "link" | null;
            }[] | null;
            readonly txtBin?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description Stored unchanged. */
                readonly text?: string;
            };
            readonly qrMenu?: {
                readonly title?: string | null;
                readonly description?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string | null;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly coverLink?: string | null;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string | null;
                /**
                 * @description Light, dark, or by the setting of the visitor’s device.
                 * @enum {string|null}
                 */
                readonly theme?: "Light" | "Dark" | "Auto" | null;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string|null}
                 */
                readonly layout?: "List" | "Grid" | null;
                /** @description Currency shown beside prices. */
                readonly currency?: string | null;
                readonly categories?: readonly {
                    readonly name: string;
                    /** @description Shown in ascending order; elements without it come last. */
                    readonly position?: number | null;
                    /** @default [] */
                    readonly items?: readonly {
                        readonly name: string;
                        readonly description?: string | null;
                        /** @description With variants, the lowest price. */
                        readonly price: number;
                        readonly variants?: readonly {
                            readonly label: string;
                            readonly price: number;
                        }[] | null;
                        /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                        readonly imageLink?: string | null;
                        readonly badges?: readonly string[] | null;
                        /** @description Shown in ascending order; elements without it come last. */
                        readonly position?: number | null;
                        /**
                         * @description Whether the menu shows it.
                         * @default true
                         */
                        readonly active?: boolean | null;
                    }[] | null;
                }[] | null;
                /** @description The line below the menu, in place of the fixed one about allergies. Empty: no line. Left out: the fixed one. */
                readonly footnote?: string | null;
            };
            /** @description Tags to add, at most 20 with those it has. Not together with `tags`. */
            readonly addTags?: readonly string[] | null;
            /** @description Tags to remove, if it has them. Not together with `tags`. */
            readonly removeTags?: readonly string[] | null;
        } & {
            readonly [key: string]: unknown;
        };
        readonly BulkRequest: {
            /** @description Answer without storing or publishing anything. */
            readonly dryRun?: boolean;
            /** @description The operations, each with the body of its single call. */
            readonly operations: readonly (components["schemas"]["BulkCreate"] | components["schemas"]["BulkPatch"] | components["schemas"]["BulkStatus"] | components["schemas"]["BulkDelete"])[];
        };
        readonly BulkCreate: {
            readonly create: components["schemas"]["SmartlinkCreate"];
            readonly patch?: unknown;
            readonly status?: unknown;
            readonly delete?: unknown;
        };
        readonly BulkPatch: {
            readonly patch: components["schemas"]["SmartlinkUpdate"];
            /** @description As `If-Match` of PATCH: the `etag` of the version to change, a list of them, or `*`. */
            readonly ifMatch?: string;
            readonly create?: unknown;
            readonly status?: unknown;
            readonly delete?: unknown;
        };
        readonly BulkStatus: {
            readonly status: {
                /** @description Identifier of the smartlink. */
                readonly id: string;
                /** @enum {string} */
                readonly status: "Active" | "Paused";
            };
            readonly create?: unknown;
            readonly patch?: unknown;
            readonly delete?: unknown;
        };
        readonly BulkDelete: {
            readonly delete: {
                /** @description Identifier of the smartlink. */
                readonly smartlinkId: string;
            };
            readonly create?: unknown;
            readonly patch?: unknown;
            readonly status?: unknown;
        };
        /** @description The key is missing, malformed, unknown, revoked or expired, or the session has ended. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /**
         * @description Paths of members of the body, and parameters of the query with a leading `?`, that the service does not know and ignored; the first 20. Absent if there are none.
         * @example [
         *       "status",
         *       "shortener.expiresAt",
         *       "?slug"
         *     ]
         */
        readonly Ignored: readonly string[];
        /** @description The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description The path does not support the method; `Allow` lists those it supports. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description The domain is the primary address of an Active or Paused smartlink. */
        readonly DomainInUseFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "DOMAIN_IN_USE";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description An Active or Paused smartlink has an address of the picture. */
        readonly MediaInUseFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "MEDIA_IN_USE";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description The `Idempotency-Key` was used with a different body in the last 24 hours. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description The body is larger than 1 MiB, a picture has too many bytes or pixels, or the results of the patches of a bulk call are together larger than 8 MiB. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description The body is not `application/json` in UTF-8, a picture has a type that is not taken, or the body is compressed. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description More or costlier requests per minute than the user's plan allows, too many at once, or more than 60 unknown keys per minute from the client's network. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description An internal failure of the service. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description A database does not answer, too many passwords are waiting to be hashed, a smartlink changes too often, or, with `SAFETY_FAIL_CLOSED`, URLs cannot be checked. Try again later. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        readonly Account: {
            /**
             * @description Identifier of the account.
             * @example 4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a10
             */
            readonly id: string;
            /** @description Display name; the e-mail address unless it was changed. */
            readonly name: string;
            readonly plan: components["schemas"]["AccountPlan"];
            readonly usage: {
                /** @description Active and paused smartlinks. */
                readonly smartlinks: number;
                /** @description Size of the stored pictures. */
                readonly mediaBytes: number;
            };
            /**
             * @description Role of the signed-in person.
             * @enum {string}
             */
            readonly role: "Viewer" | "Editor" | "Owner";
        };
        readonly AccountPlan: {
            /** @description Name of the plan. */
            readonly name: string;
            /** @description Smartlinks, deleted ones not counted; null: unlimited. */
            readonly smartlinks: number | null;
            /** @description Requests a minute, over all keys. */
            readonly requestsPerMinute: number;
            /** @description Days that analytics reach back; null: unlimited. */
            readonly analyticsDays: number | null;
            /** @description Bulk calls, hourly figures, CSV and scopes of keys. */
            readonly advanced: boolean;
            /** @description Bytes of uploaded pictures; null: unlimited. */
            readonly mediaBytes: number | null;
        };
        /** @description The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
        readonly ForbiddenFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "FORBIDDEN";
                readonly message: string;
                readonly details: readonly components["schemas"]["Fault"][];
            };
            /**
             * Format: date-time
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        readonly Fault: {
            /**
             * @description Dotted path with array indexes; empty for the body itself.
             * @example configuration.smartlinkUrl
             */
            readonly path: string;
            /**
             * @description The fault, for human readers.
             * @example Invalid URL format
             */
            readonly message: string;
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        readonly Member: {
            /**
             * @description Identifier of the person.
             * @example 4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a11
             */
            readonly personId: string;
            /** @description E-mail address. */
            readonly email: string;
            /** @enum {string} */
            readonly role: "Viewer" | "Editor" | "Owner";
            /**
             * Format: date-time
             * @description When the person became a member, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Last request in this account, to the minute, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastSeenAt?: string;
        };
        readonly Invitation: {
            /** @description Link for the invited person. */
            readonly inviteUrl: string;
            /**
             * Format: date-time
             * @description When the link expires, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        /** @description A signed-in person has neither signed in nor entered the password within the last ten minutes. */
        readonly ConfirmationRequiredFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "CONFIRMATION_REQUIRED";
                readonly message: string;
            };
            /**
             * Format: date-time
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description Another object of the account has this name or `externalId`; `details` names the member. */
        readonly NameTakenFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "NAME_TAKEN";
                readonly message: string;
                readonly details: readonly components["schemas"]["Fault"][];
            };
            /**
             * Format: date-time
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        readonly ApiKey: {
            /**
             * @description Identifier of the key.
             * @example 0b1f7a52-8c1b-4f5e-9a35-0e6f7c8b9a10
             */
            readonly id: string;
            /** @description Purpose of the key. */
            readonly name: string;
            /**
             * @description The first characters of the key.
             * @example slk_live_Ab12Cd34
             */
            readonly displayPrefix: string;
            /** @description What the key may do. */
            readonly scopes: readonly ("links:read" | "links:create" | "links:write" | "analytics:read" | "domains:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "*")[];
            /** @description Identifier of the person who created the key. */
            readonly createdBy?: string;
            /** @description Addresses and CIDR ranges that the key may be used from; absent: any. */
            readonly allowedNetworks?: readonly string[];
            /**
             * Format: date-time
             * @description When the key stops working, in UTC; absent: never.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description When the key was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Last use, to the minute, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastUsedAt?: string;
        };
        readonly CreatedApiKey: {
            /**
             * @description Identifier of the key.
             * @example 0b1f7a52-8c1b-4f5e-9a35-0e6f7c8b9a10
             */
            readonly id: string;
            /** @description Purpose of the key. */
            readonly name: string;
            /**
             * @description The first characters of the key.
             * @example slk_live_Ab12Cd34
             */
            readonly displayPrefix: string;
            /** @description What the key may do. */
            readonly scopes: readonly ("links:read" | "links:create" | "links:write" | "analytics:read" | "domains:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "*")[];
            /** @description Identifier of the person who created the key. */
            readonly createdBy?: string;
            /** @description Addresses and CIDR ranges that the key may be used from; absent: any. */
            readonly allowedNetworks?: readonly string[];
            /**
             * Format: date-time
             * @description When the key stops working, in UTC; absent: never.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description When the key was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Last use, to the minute, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastUsedAt?: string;
            /** @description The key. Shown only in this answer. */
            readonly apiKey: string;
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        readonly Change: {
            /**
             * @description Identifier of the change.
             * @example 7301
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it was made, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly at: string;
            /**
             * @description What was done.
             * @example smartlink.update
             */
            readonly action: string;
            /**
             * @description The smartlink that was changed.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly smartlinkId?: string;
            /** @description Names of the changed members. */
            readonly changed?: readonly string[];
            /** @description What or who made the change. */
            readonly actor: {
                /**
                 * @description An API key, a signed-in person, the admin command, or the service itself.
                 * @enum {string}
                 */
                readonly kind: "key" | "session" | "admin" | "system";
                /** @description Of the key or the person. */
                readonly id?: string;
                /** @description Name of the key, or e-mail address of the person, unless deleted. */
                readonly name?: string;
            };
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "App";
                readonly domain?: string;
                /** @description iPhone and iPod; also iPad without `ipadAppLink`. */
                readonly appStoreLink?: string;
                /** @description Android; also Huawei and Fire devices without their own link. */
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
                /** @description All other devices. Without it, they get a page that lists the stores. */
                readonly fallBackLink?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly redirect?: {
                /**
                 * @description Status of the redirect. Browsers keep 301 and 308, and a visit answered from there is not counted; they are refused where the destination depends on the visit.
                 * @enum {number}
                 */
                readonly status?: 301 | 302 | 307 | 308;
                /** @description How long a browser may keep the redirect; 0: not at all. A visit answered from there is not counted. */
                readonly cacheSeconds?: number;
                /** @description Whether parameters of the visitor are added to the destination. */
                readonly forwardQuery?: boolean;
            };
        };
        /** @description Visits over all time. All 0 for a new smartlink. */
        readonly Totals: {
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly totalFallBack: number;
        };
        /** @description Why the service paused it: a URL was judged unsafe after it was stored. Absent while it is Active, and if its owner paused it. */
        readonly PauseReason: {
            /** @constant */
            readonly code: "UNSAFE_URL";
            /** @description The unsafe URLs, at most 100. */
            readonly details: readonly {
                /**
                 * @description Path of the URL.
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Url";
                readonly domain?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly shortener: {
                /** @description Destination of visitors: an http or https address with a public host other than that of this service. */
                readonly url: string;
                /** @description Whether visitors are asked for the password. */
                readonly protected: boolean;
            };
            /** @description Campaign parameters that visitors take to the destination. They replace parameters of the same name in `shortener.url`; parameters of the visitor replace both. */
            readonly utm?: {
                /** @description Value of the parameter `utm_source`. */
                readonly source?: string;
                /** @description Value of the parameter `utm_medium`. */
                readonly medium?: string;
                /** @description Value of the parameter `utm_campaign`. */
                readonly campaign?: string;
                /** @description Value of the parameter `utm_term`. */
                readonly term?: string;
                /** @description Value of the parameter `utm_content`. */
                readonly content?: string;
                /** @description Value of the parameter `ref`. */
                readonly ref?: string;
            };
            readonly redirect?: {
                /**
                 * @description Status of the redirect. Browsers keep 301 and 308, and a visit answered from there is not counted; they are refused where the destination depends on the visit.
                 * @enum {number}
                 */
                readonly status?: 301 | 302 | 307 | 308;
                /** @description How long a browser may keep the redirect; 0: not at all. A visit answered from there is not counted. */
                readonly cacheSeconds?: number;
                /** @description Whether parameters of the visitor are added to the destination. */
                readonly forwardQuery?: boolean;
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "Landing";
                readonly domain?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly landing: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string}
                 */
                readonly layout: "List" | "Grid";
                /**
                 * @description Light, dark, or by the setting of the visitor’s device.
                 * @enum {string}
                 */
                readonly theme: "Light" | "Dark" | "Auto";
            };
            readonly landingButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`. */
                readonly link: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly iconUrl?: string;
            }[];
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft";
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square";
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string}
                 */
                readonly background?: "plain" | "tint" | "gradient";
            };
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QRTag";
                readonly domain?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly qrTag: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
            };
            readonly qrTagButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description Purpose of the button, which decides its icon; by default the scheme of the link decides.
                 * @enum {string}
                 */
                readonly preset?: "link" | "restaurant" | "delivery" | "phone" | "email" | "calendar" | "social";
                /** @description Shown in ascending order; elements without it come last. */
                readonly position?: number;
            }[];
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft";
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square";
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string}
                 */
                readonly background?: "plain" | "tint" | "gradient";
            };
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "DigiCard";
                readonly domain?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly digiCard: {
                readonly title?: string;
                readonly jobTitle?: string;
                readonly company?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /** @description The picture behind the card. */
                readonly bgLink?: string;
                /** @description Words on the button that saves the contact; by default in the visitor’s language. */
                readonly ctaText?: string;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
            };
            readonly digiCardButtons?: readonly {
                readonly title: string;
                /** @description An http or https address with a public host, or of this service, or one of: `tel:`, `mailto:`, `sms:`, `geo:`, `whatsapp:`. */
                readonly link: string;
                /**
                 * @description Purpose of the button, which decides its icon; by default the scheme of the link decides.
                 * @enum {string}
                 */
                readonly preset?: "phone" | "email" | "website" | "location" | "calendar" | "social" | "whatsapp" | "link";
            }[];
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft";
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square";
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string}
                 */
                readonly background?: "plain" | "tint" | "gradient";
            };
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "TxtBin";
                readonly domain?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly txtBin: {
                readonly title?: string;
                readonly description?: string;
                /** @description Stored unchanged. */
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /**
                 * @description Decides which objects the smartlink has.
                 * @enum {string}
                 */
                readonly smartlinkType: "QrMenu";
                readonly domain?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB. */
            readonly openGraph?: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly imageUrl?: string;
            };
            /** @description Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided after status and password, before the stores of an App. No rule can tell bots from people. */
            readonly routing?: {
                /** @description The first rule that fits decides. */
                readonly rules?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Visitors do not see it. */
                    readonly name?: string;
                    /** @description An http or https address with a public host other than that of this service; stored and returned as a browser normalises it. */
                    readonly url?: string;
                    readonly variants?: readonly {
                        /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                        readonly id?: string;
                        /** @description Its share is its weight among those of all variants. */
                        readonly weight: number;
                        /** @description Left out in at most one variant: the smartlink’s own answer. */
                        readonly url?: string;
                    }[];
                    readonly when: {
                        readonly countries?: readonly string[];
                        readonly languages?: readonly string[];
                        readonly devices?: readonly ("mobile" | "tablet" | "desktop" | "tv" | "wearable" | "console" | "other")[];
                        readonly systems?: readonly ("Android" | "iOS" | "Windows" | "macOS" | "Linux" | "Chrome OS" | "Fire OS" | "HarmonyOS" | "Xbox" | "PlayStation" | "Nintendo" | "Windows Phone" | "Windows Mobile" | "KaiOS" | "tvOS" | "watchOS" | "Tizen" | "webOS" | "Roku" | "BlackBerry" | "Symbian" | "Chromecast" | "BSD" | "Solaris" | "Fuchsia" | "Series 40" | "Firefox OS" | "Sailfish OS" | "Bada" | "MeeGo" | "other")[];
                        readonly browsers?: readonly ("Chrome" | "Safari" | "Firefox" | "Edge" | "Opera" | "Samsung Internet" | "Instagram" | "Messenger" | "Facebook" | "Pinterest" | "Honor Browser" | "UC Browser" | "Weibo" | "TikTok" | "Brave" | "Phoenix Browser" | "NAVER" | "Chromium" | "Android WebView" | "Android Browser" | "Internet Explorer" | "Opera Mini" | "Huawei Browser" | "MIUI Browser" | "Vivo Browser" | "HeyTap Browser" | "Oculus Browser" | "Sailfish Browser" | "Lenovo Browser" | "Silk" | "Kindle" | "QQ Browser" | "QQ" | "WeChat" | "Baidu" | "360 Browser" | "Sogou" | "Alipay" | "Snapchat" | "X" | "LinkedIn" | "LINE" | "KakaoTalk" | "Whale" | "Klarna" | "Google" | "Yandex Browser" | "DuckDuckGo" | "Vivaldi" | "Coc Coc" | "Avast Secure Browser" | "AVG Secure Browser" | "Maxthon" | "Puffin" | "Dolphin" | "Midori" | "Epiphany" | "Falkon" | "Konqueror" | "Pale Moon" | "Waterfox" | "SeaMonkey" | "Electron" | "Nokia Browser" | "NetFront" | "Obigo" | "Openwave" | "iOS WebView" | "other")[];
                        readonly sources?: readonly ("click" | "scan")[];
                        readonly referrers?: readonly string[];
                        readonly query?: readonly {
                            readonly name: string;
                            /** @description Left out: any value. */
                            readonly value?: string;
                        }[];
                        /**
                         * Format: date-time
                         * @description Fits from this time on.
                         */
                        readonly from?: string;
                        /**
                         * Format: date-time
                         * @description Fits before this time.
                         */
                        readonly until?: string;
                        /** @description Hours of the week. */
                        readonly weekly?: {
                            /**
                             * @description IANA time zone.
                             * @example Asia/Baku
                             */
                            readonly timeZone: string;
                            readonly days: readonly ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                            /** @example 18:00 */
                            readonly from: string;
                            /**
                             * @description At or before `from`: past midnight, and of the day on which it began.
                             * @example 02:00
                             */
                            readonly to: string;
                        };
                    };
                }[];
                /** @description Destinations of visitors that no rule fits. */
                readonly variants?: readonly {
                    /** @description Unique in the smartlink, and its name in statistics; assigned when left out. */
                    readonly id?: string;
                    /** @description Its share is its weight among those of all variants. */
                    readonly weight: number;
                    /** @description Left out in at most one variant: the smartlink’s own answer. */
                    readonly url?: string;
                }[];
                /**
                 * @description With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and for visitors that ask not to be recognised, each visit draws one.
                 * @enum {string}
                 */
                readonly sticky?: "visitor" | "none";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            readonly qrMenu: {
                readonly title?: string;
                readonly description?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly logoLink?: string;
                /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                readonly coverLink?: string;
                /**
                 * @description The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever is legible.
                 * @example #1a2b3c
                 */
                readonly themeColor?: string;
                /**
                 * @description Light, dark, or by the setting of the visitor’s device.
                 * @enum {string}
                 */
                readonly theme?: "Light" | "Dark" | "Auto";
                /**
                 * @description A list, or tiles side by side.
                 * @enum {string}
                 */
                readonly layout?: "List" | "Grid";
                /** @description Currency shown beside prices. */
                readonly currency: string;
                readonly categories: readonly {
                    readonly name: string;
                    /** @description Shown in ascending order; elements without it come last. */
                    readonly position?: number;
                    readonly items: readonly {
                        readonly name: string;
                        readonly description?: string;
                        /** @description With variants, the lowest price. */
                        readonly price: number;
                        readonly variants?: readonly {
                            readonly label: string;
                            readonly price: number;
                        }[];
                        /** @description An http or https address with a public host, or of this service; stored and returned as a browser normalises it. */
                        readonly imageLink?: string;
                        readonly badges?: readonly string[];
                        /** @description Shown in ascending order; elements without it come last. */
                        readonly position?: number;
                        /** @description Whether the menu shows it. */
                        readonly active: boolean;
                    }[];
                }[];
                /** @description The line below the menu, in place of the fixed one about allergies. Empty: no line. Left out: the fixed one. */
                readonly footnote?: string;
            };
            /** @description The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark. */
            readonly appearance?: {
                /**
                 * @description Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.
                 * @enum {string}
                 */
                readonly buttonStyle?: "filled" | "outline" | "soft";
                /**
                 * @description Corners of the buttons: rounded, fully round, or none; by default `rounded`.
                 * @enum {string}
                 */
                readonly buttonShape?: "rounded" | "pill" | "square";
                /**
                 * @description Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a stronger tint; by default `tint`.
                 * @enum {string}
                 */
                readonly background?: "plain" | "tint" | "gradient";
            };
        };
        /** @description The user has the maximum number of smartlinks of the plan, deleted ones not counted, or of bytes of uploaded pictures. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description Another smartlink has, or had, this `smartlinkUrl`. */
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
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
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description A smartlink without its content (`view=summary`). */
        readonly SmartlinkSummary: {
            /**
             * @description Identifier of the smartlink.
             * @example 019aa5c4-c000-7000-8000-000000000001
             */
            readonly id: string;
            /** @enum {string} */
            readonly status: "Active" | "Paused" | "Deleted";
            /** @enum {string} */
            readonly type: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
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
                /** @description Name of the smartlink. Visitors do not see it. */
                readonly smartlinkName: string;
                /** @description The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not dashboard, welcome, pp, tos. Without it, a create assigns one. */
                readonly smartlinkUrl: string;
                /** @enum {string} */
                readonly smartlinkType: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
                readonly domain?: string;
                /** @description iPhone and iPod; also iPad without `ipadAppLink`. */
                readonly appStoreLink?: string;
                /** @description Android; also Huawei and Fire devices without their own link. */
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
                /** @description All other devices. Without it, they get a page that lists the stores. */
                readonly fallBackLink?: string;
            };
            readonly analytics: components["schemas"]["Totals"];
            /**
             * @description Addresses from another service that `smartlinkUrl` cannot be: they contain `-` or `_`, or differ from another address only in case. They lead here exactly as written. Only an import adds them; absent without any.
             * @example [
             *       "spring-sale"
             *     ]
             */
            readonly importedAddresses?: readonly string[];
            readonly pauseReason?: components["schemas"]["PauseReason"];
            /** @description The person who created it. Absent if an API key did. */
            readonly createdBy?: string;
            readonly availability?: {
                /**
                 * Format: date-time
                 * @description Visitors get a page that says so (404) before this time.
                 */
                readonly startsAt?: string;
                /**
                 * Format: date-time
                 * @description It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in the past means now.
                 */
                readonly expiresAt?: string;
                /** @description Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps the visits used; `null` forgets them. */
                readonly maxVisits?: number;
                /** @description Where visitors are led once it has expired or is used up, without their parameters. */
                readonly expiredUrl?: string;
                /** @description Visits used of `maxVisits`. Absent without it. */
                readonly visitsUsed?: number;
                /**
                 * @description Whether visitors find it live; Paused and Deleted come first.
                 * @enum {string}
                 */
                readonly state: "scheduled" | "live" | "expired" | "exhausted";
            };
            /** @description Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the first spelling stays. Visitors do not see them. */
            readonly tags?: readonly string[];
            /** @description The folder it is in. */
            readonly folderId?: string;
            /** @description Notes of the owner. Visitors do not see them. */
            readonly notes?: string;
            /** @description An archived smartlink works and counts against the plan like any other; default lists leave it out. Only `true` is returned. */
            readonly archived?: boolean;
            /** @description Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET /smartlink?externalId=` fetches it. */
            readonly externalId?: string;
            /**
             * @description Host, and port if it is not the default one, of the destination of a Url.
             * @example www.example.com
             */
            readonly destinationHost?: string;
            /**
             * @description Of a page.
             * @example #2f6f4f
             */
            readonly themeColor?: string;
            /**
             * Format: date-time
             * @description Time of the last visit that counts, up to 30 seconds late. Absent without one.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastVisitAt?: string;
        };
        readonly BulkCreated: {
            /** @constant */
            readonly status: 201;
            /** @constant */
            readonly success: true;
            /** @description What was done, for human readers. */
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
            /** @description What was done, for human readers. */
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
            /** @description What was done, for human readers. */
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
                readonly code: "VALIDATION_FAILED" | "SUBSCRIPTION_LIMIT_REACHED" | "NOT_FOUND" | "SMARTLINK_URL_TAKEN" | "NAME_TAKEN" | "PRECONDITION_FAILED" | "UNSAFE_URL" | "SERVICE_UNAVAILABLE";
                readonly message: string;
                /** @description The faults, by their paths in the body of the operation. */
                readonly details?: readonly {
                    readonly path: string;
                    readonly message: string;
                }[];
            };
        };
        readonly DraftCheck: {
            readonly faults: readonly {
                /**
                 * @description Where: a dotted path.
                 * @example landing.title
                 */
                readonly path: string;
                /** @description What. */
                readonly message: string;
            }[];
            /**
             * @description Path of the page, for this session alone; absent if there are faults, or while Redis is away.
             * @example /dashboard/preview/q3mT0b7xJtWcZk5n1VyRfA
             */
            readonly url?: string;
            /**
             * Format: date-time
             * @description The page is kept until then, or until the next draft.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly expiresAt?: string;
        };
        readonly QueuedSmartlink: {
            /** @description Identifier of the smartlink. */
            readonly smartlinkId: string;
            /** @description Its public address. */
            readonly address: string;
            /** @description The account that it belongs to. */
            readonly account: {
                readonly id: string;
                readonly email: string;
            };
            /** @enum {string} */
            readonly state: "unsafe" | "unchecked";
            /** @description URLs judged unsafe, and where they are. */
            readonly urls?: readonly {
                readonly path: string;
                readonly url: string;
            }[];
            /**
             * Format: date-time
             * @description When unchecked URLs are judged next, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly dueAt?: string;
        };
        readonly SafetyVerdict: {
            /** @description Identifier of the smartlink. */
            readonly smartlinkId: string;
            /** @enum {string} */
            readonly state: "safe" | "unsafe" | "unchecked";
        };
        readonly Tag: {
            /**
             * @description Identifier of the tag.
             * @example 019aa5c4-c000-7000-8000-0000000000b1
             */
            readonly id: string;
            /** @description Name of the tag, as first spelled. */
            readonly name: string;
            /** @description Active and Paused smartlinks with it. */
            readonly smartlinkCount: number;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * @description Colour in lists: `#` and hexadecimal digits.
             * @example #1a2b3c
             */
            readonly color?: string;
        };
        readonly Folder: {
            /**
             * @description Identifier of the folder.
             * @example 019aa5c4-c000-7000-8000-0000000000f1
             */
            readonly id: string;
            /** @description Name of the folder, as first spelled. */
            readonly name: string;
            /** @description Active and Paused smartlinks with it. */
            readonly smartlinkCount: number;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description What it is for. */
            readonly description?: string;
        };
        readonly UtmTemplate: {
            /**
             * @description Identifier of the UTM template.
             * @example 019aa5c4-c000-7000-8000-0000000000c1
             */
            readonly id: string;
            /** @description Name of the UTM template. */
            readonly name: string;
            readonly utm: {
                /** @description Value of the parameter `utm_source`. */
                readonly source?: string;
                /** @description Value of the parameter `utm_medium`. */
                readonly medium?: string;
                /** @description Value of the parameter `utm_campaign`. */
                readonly campaign?: string;
                /** @description Value of the parameter `utm_term`. */
                readonly term?: string;
                /** @description Value of the parameter `utm_content`. */
                readonly content?: string;
                /** @description Value of the parameter `ref`. */
                readonly ref?: string;
            };
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly Media: {
            /**
             * @description Identifier of the picture.
             * @example 019aa5c4-c000-7000-8000-0000000000f7
             */
            readonly id: string;
            /**
             * @description Address of the largest size, as JPEG or PNG; give it to a smartlink.
             * @example https://sl.example.com/-/media/5d41402abc4b2a76b9719d911017c592-500.jpg
             */
            readonly url: string;
            /** @description Width of the largest size, in pixels. */
            readonly width: number;
            /** @description Height of the largest size, in pixels. */
            readonly height: number;
            /** @description Size of all files, which counts against the plan. */
            readonly bytes: number;
            /** @description The sizes, smallest first. */
            readonly sizes: readonly {
                /** @description Width, in pixels. */
                readonly width: number;
                /** @description Address of this size, as WebP. */
                readonly url: string;
            }[];
            /**
             * Format: date-time
             * @description When it was uploaded, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
        };
        readonly Domain: {
            /**
             * @description Identifier of the domain.
             * @example 019aa5c4-c000-7000-8000-0000000000d5
             */
            readonly id: string;
            /** @description Its host, in lower case and as A-labels. */
            readonly host: string;
            /**
             * @description `Pending` until the TXT record is found; removed after 30 days. `Active`: in use. `Failing`: the record is gone; still served. `Suspended`: gone for 14 days; not served.
             * @enum {string}
             */
            readonly status: "Pending" | "Active" | "Failing" | "Suspended";
            /** @description Whether new smartlinks get this domain if they name none. */
            readonly isDefault: boolean;
            /** @description Where `/` leads. */
            readonly rootUrl?: string;
            /** @description Where unknown addresses lead. */
            readonly notFoundUrl?: string;
            /** @description Where smartlinks lead that are over. */
            readonly expiredUrl?: string;
            /** @description Content of `/.well-known/apple-app-site-association`. */
            readonly appleAppSiteAssociation?: {
                readonly [key: string]: unknown;
            };
            /** @description Content of `/.well-known/assetlinks.json`. */
            readonly assetLinks?: readonly unknown[];
            readonly verification: {
                /** @description Name of the TXT record that proves the host. */
                readonly txtName: string;
                /** @description Its value. The name may have other TXT records too. */
                readonly txtValue: string;
                /** @description Where the host should lead: by a CNAME record, or by the addresses of this name. */
                readonly cnameTarget: string;
                /** @description Whether it led here at the last look; a proxy between may hide that. Absent if the DNS did not say. */
                readonly pointsHere?: boolean;
                /**
                 * Format: date-time
                 * @description Time of the last look at the records, in UTC.
                 * @example 2026-03-10T12:00:00.000Z
                 */
                readonly checkedAt?: string;
                /** @description What the last look found, for people. Absent if all is well. */
                readonly problem?: string;
            };
            /** @description Active and Paused smartlinks whose primary address is there. */
            readonly smartlinkCount: number;
            /**
             * Format: date-time
             * @description When it was added, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it, or its status, was last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
        };
        /** @description The account has the host already, or another account has proven it. */
        readonly DomainTakenFailure: {
            /** @constant */
            readonly success: false;
            readonly error: {
                /** @constant */
                readonly code: "DOMAIN_TAKEN";
                readonly message: string;
                readonly details: readonly components["schemas"]["Fault"][];
            };
            /**
             * Format: date-time
             * @description Time of the answer, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly timestamp: string;
            readonly ignored?: components["schemas"]["Ignored"];
        };
        /** @description Totals cover all time, regardless of the range; with filters of visits, all visits that are kept. */
        readonly SmartlinkAnalytics: {
            readonly smartlinkId: string;
            readonly smartlinkName: string;
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly totalFallBack: number;
            /** @description Distinct visitors per UTC day; for a longer span, the sum of its days. Visitors with `Sec-GPC: 1` or `DNT: 1` are not included. */
            readonly uniqueVisitors: number;
            /**
             * @description Visits by referring host; `direct` without one, `other` for the rest.
             * @example {
             *       "direct": 3,
             *       "example.net": 2
             *     }
             */
            readonly referrers: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by operating system; `other` if unknown.
             * @example {
             *       "Android": 3,
             *       "iOS": 2
             *     }
             */
            readonly operatingSystems: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits not counted, by reason.
             * @example {
             *       "bot": 4
             *     }
             */
            readonly excluded: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by the first language of the browser; those without one are left out, `other` is the rest. Absent when empty, as are the maps below.
             * @example {
             *       "az": 3,
             *       "en-US": 1
             *     }
             */
            readonly languages?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_source`, like `languages`.
             * @example {
             *       "newsletter": 2
             *     }
             */
            readonly utmSources?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_medium`, like `languages`.
             * @example {
             *       "email": 2
             *     }
             */
            readonly utmMediums?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_campaign`, like `languages`.
             * @example {
             *       "spring": 2
             *     }
             */
            readonly utmCampaigns?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by custom host; `default` is the own host of the instance. Absent if all came by that.
             * @example {
             *       "default": 3,
             *       "go.example.com": 2
             *     }
             */
            readonly domains?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by routing: `rule:<id>`, `variant:<id>`, or `rule:<id>/variant:<id>`; `default` by neither, `other` for the rest. Absent if there was no other.
             * @example {
             *       "default": 2,
             *       "rule:de-phones": 2,
             *       "variant:new": 1
             *     }
             */
            readonly routes?: {
                readonly [key: string]: number;
            };
            /**
             * @description Presses by button of the page: its kind and its place from 0 in the array (`button:3`, `contact:1` of a DigiCard), or the member of its store (`store:appStoreLink`). A press is no visit. Only for one smartlink; absent without presses.
             * @example {
             *       "button:0": {
             *         "title": "Book a table",
             *         "presses": 3
             *       }
             *     }
             */
            readonly buttons?: {
                readonly [key: string]: {
                    /**
                     * @description The title that the present version has at this place, or the name of the store; null if it has no such button.
                     * @example Book a table
                     */
                    readonly title: string | null;
                    readonly presses: number;
                };
            };
            /**
             * Format: date
             * @description The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They begin there.
             * @example 2026-03-10
             */
            readonly availableFrom?: string;
            /** @description Oldest first. Without `fill`, only spans with visits, counted or not, or presses. */
            readonly analyticsData: readonly components["schemas"]["AnalyticsEntry"][];
        };
        readonly AnalyticsEntry: {
            /**
             * @description Start of the span: `YYYY-MM-DD` for a day, the Monday of a week or the first of a month; `YYYY-MM-DDTHH:00` for an hour.
             * @example 2026-03-10
             */
            readonly date: string;
            readonly clicks: number;
            readonly qrScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly fallbacks: number;
            /**
             * @description Clicks and scans by country code; `XX` if unknown.
             * @example {
             *       "AZ": 4,
             *       "XX": 1
             *     }
             */
            readonly countries: {
                readonly [key: string]: number;
            };
            /**
             * @description Clicks and scans by device class: mobile, tablet, desktop, tv, wearable, console, other.
             * @example {
             *       "mobile": 4,
             *       "desktop": 1
             *     }
             */
            readonly devices: {
                readonly [key: string]: number;
            };
            /**
             * @description Clicks and scans by browser; `other` if unknown.
             * @example {
             *       "Chrome": 3,
             *       "Safari": 2
             *     }
             */
            readonly browsers: {
                readonly [key: string]: number;
            };
            /** @description Distinct visitors per UTC day; for a longer span, the sum of its days. Visitors with `Sec-GPC: 1` or `DNT: 1` are not included. */
            readonly uniqueVisitors: number;
            /**
             * @description Visits by referring host; `direct` without one, `other` for the rest.
             * @example {
             *       "direct": 3,
             *       "example.net": 2
             *     }
             */
            readonly referrers: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by operating system; `other` if unknown.
             * @example {
             *       "Android": 3,
             *       "iOS": 2
             *     }
             */
            readonly operatingSystems: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits not counted, by reason.
             * @example {
             *       "bot": 4
             *     }
             */
            readonly excluded: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by the first language of the browser; those without one are left out, `other` is the rest. Absent when empty, as are the maps below.
             * @example {
             *       "az": 3,
             *       "en-US": 1
             *     }
             */
            readonly languages?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_source`, like `languages`.
             * @example {
             *       "newsletter": 2
             *     }
             */
            readonly utmSources?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_medium`, like `languages`.
             * @example {
             *       "email": 2
             *     }
             */
            readonly utmMediums?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_campaign`, like `languages`.
             * @example {
             *       "spring": 2
             *     }
             */
            readonly utmCampaigns?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by custom host; `default` is the own host of the instance. Absent if all came by that.
             * @example {
             *       "default": 3,
             *       "go.example.com": 2
             *     }
             */
            readonly domains?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by routing: `rule:<id>`, `variant:<id>`, or `rule:<id>/variant:<id>`; `default` by neither, `other` for the rest. Absent if there was no other.
             * @example {
             *       "default": 2,
             *       "rule:de-phones": 2,
             *       "variant:new": 1
             *     }
             */
            readonly routes?: {
                readonly [key: string]: number;
            };
            /**
             * @description Presses by button of the page: its kind and its place from 0 in the array (`button:3`, `contact:1` of a DigiCard), or the member of its store (`store:appStoreLink`). A press is no visit. Only for one smartlink; absent without presses.
             * @example {
             *       "button:0": {
             *         "title": "Book a table",
             *         "presses": 3
             *       }
             *     }
             */
            readonly buttons?: {
                readonly [key: string]: {
                    /**
                     * @description The title that the present version has at this place, or the name of the store; null if it has no such button.
                     * @example Book a table
                     */
                    readonly title: string | null;
                    readonly presses: number;
                };
            };
        };
        /** @description With `fields=counts`. Totals cover all time, regardless of the range; with filters of visits, all visits that are kept. */
        readonly SmartlinkCounts: {
            readonly smartlinkId: string;
            readonly smartlinkName: string;
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly totalFallBack: number;
            /**
             * Format: date
             * @description The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They begin there.
             * @example 2026-03-10
             */
            readonly availableFrom?: string;
            /** @description Oldest first. Without `fill`, only spans with visits, counted or not, or presses. */
            readonly analyticsData: readonly components["schemas"]["AnalyticsCountsEntry"][];
        };
        readonly AnalyticsCountsEntry: {
            /**
             * @description Start of the span: `YYYY-MM-DD` for a day, the Monday of a week or the first of a month; `YYYY-MM-DDTHH:00` for an hour.
             * @example 2026-03-10
             */
            readonly date: string;
            readonly clicks: number;
            readonly qrScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly fallbacks: number;
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
                /** @description Number of Active and Paused smartlinks. */
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
                 * @description When the visit occurred, in UTC.
                 * @example 2026-03-10T12:00:00.000Z
                 */
                readonly timestamp: string;
                /**
                 * @description Country code; `XX` if unknown.
                 * @example AZ
                 */
                readonly country: string;
                /**
                 * @description Device class.
                 * @example mobile
                 */
                readonly device: string;
            }[];
        };
        /** @description Totals are those of the range. */
        readonly Analytics: {
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly totalFallBack: number;
            /** @description Distinct visitors per UTC day; for a longer span, the sum of its days. Visitors with `Sec-GPC: 1` or `DNT: 1` are not included. */
            readonly uniqueVisitors: number;
            /**
             * @description Visits by referring host; `direct` without one, `other` for the rest.
             * @example {
             *       "direct": 3,
             *       "example.net": 2
             *     }
             */
            readonly referrers: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by operating system; `other` if unknown.
             * @example {
             *       "Android": 3,
             *       "iOS": 2
             *     }
             */
            readonly operatingSystems: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits not counted, by reason.
             * @example {
             *       "bot": 4
             *     }
             */
            readonly excluded: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by the first language of the browser; those without one are left out, `other` is the rest. Absent when empty, as are the maps below.
             * @example {
             *       "az": 3,
             *       "en-US": 1
             *     }
             */
            readonly languages?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_source`, like `languages`.
             * @example {
             *       "newsletter": 2
             *     }
             */
            readonly utmSources?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_medium`, like `languages`.
             * @example {
             *       "email": 2
             *     }
             */
            readonly utmMediums?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by `utm_campaign`, like `languages`.
             * @example {
             *       "spring": 2
             *     }
             */
            readonly utmCampaigns?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by custom host; `default` is the own host of the instance. Absent if all came by that.
             * @example {
             *       "default": 3,
             *       "go.example.com": 2
             *     }
             */
            readonly domains?: {
                readonly [key: string]: number;
            };
            /**
             * @description Visits by routing: `rule:<id>`, `variant:<id>`, or `rule:<id>/variant:<id>`; `default` by neither, `other` for the rest. Absent if there was no other.
             * @example {
             *       "default": 2,
             *       "rule:de-phones": 2,
             *       "variant:new": 1
             *     }
             */
            readonly routes?: {
                readonly [key: string]: number;
            };
            /**
             * @description Presses by button of the page: its kind and its place from 0 in the array (`button:3`, `contact:1` of a DigiCard), or the member of its store (`store:appStoreLink`). A press is no visit. Only for one smartlink; absent without presses.
             * @example {
             *       "button:0": {
             *         "title": "Book a table",
             *         "presses": 3
             *       }
             *     }
             */
            readonly buttons?: {
                readonly [key: string]: {
                    /**
                     * @description The title that the present version has at this place, or the name of the store; null if it has no such button.
                     * @example Book a table
                     */
                    readonly title: string | null;
                    readonly presses: number;
                };
            };
            /** @description With `compare=previous`: the totals of as many days before `from`. */
            readonly previous?: {
                /**
                 * Format: date
                 * @description First day.
                 * @example 2026-03-10
                 */
                readonly from: string;
                /**
                 * Format: date
                 * @description Last day.
                 * @example 2026-03-10
                 */
                readonly to: string;
                readonly totalClicks: number;
                readonly totalQrCodeScans: number;
                /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
                readonly totalFallBack: number;
                /** @description Distinct visitors per UTC day; for a longer span, the sum of its days. Visitors with `Sec-GPC: 1` or `DNT: 1` are not included. */
                readonly uniqueVisitors: number;
                /**
                 * @description Visits by referring host; `direct` without one, `other` for the rest.
                 * @example {
                 *       "direct": 3,
                 *       "example.net": 2
                 *     }
                 */
                readonly referrers: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by operating system; `other` if unknown.
                 * @example {
                 *       "Android": 3,
                 *       "iOS": 2
                 *     }
                 */
                readonly operatingSystems: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits not counted, by reason.
                 * @example {
                 *       "bot": 4
                 *     }
                 */
                readonly excluded: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by the first language of the browser; those without one are left out, `other` is the rest. Absent when empty, as are the maps below.
                 * @example {
                 *       "az": 3,
                 *       "en-US": 1
                 *     }
                 */
                readonly languages?: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by `utm_source`, like `languages`.
                 * @example {
                 *       "newsletter": 2
                 *     }
                 */
                readonly utmSources?: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by `utm_medium`, like `languages`.
                 * @example {
                 *       "email": 2
                 *     }
                 */
                readonly utmMediums?: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by `utm_campaign`, like `languages`.
                 * @example {
                 *       "spring": 2
                 *     }
                 */
                readonly utmCampaigns?: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by custom host; `default` is the own host of the instance. Absent if all came by that.
                 * @example {
                 *       "default": 3,
                 *       "go.example.com": 2
                 *     }
                 */
                readonly domains?: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Visits by routing: `rule:<id>`, `variant:<id>`, or `rule:<id>/variant:<id>`; `default` by neither, `other` for the rest. Absent if there was no other.
                 * @example {
                 *       "default": 2,
                 *       "rule:de-phones": 2,
                 *       "variant:new": 1
                 *     }
                 */
                readonly routes?: {
                    readonly [key: string]: number;
                };
                /**
                 * @description Presses by button of the page: its kind and its place from 0 in the array (`button:3`, `contact:1` of a DigiCard), or the member of its store (`store:appStoreLink`). A press is no visit. Only for one smartlink; absent without presses.
                 * @example {
                 *       "button:0": {
                 *         "title": "Book a table",
                 *         "presses": 3
                 *       }
                 *     }
                 */
                readonly buttons?: {
                    readonly [key: string]: {
                        /**
                         * @description The title that the present version has at this place, or the name of the store; null if it has no such button.
                         * @example Book a table
                         */
                        readonly title: string | null;
                        readonly presses: number;
                    };
                };
            };
            /**
             * Format: date
             * @description The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They begin there.
             * @example 2026-03-10
             */
            readonly availableFrom?: string;
            /** @description Oldest first. Without `fill`, only spans with visits, counted or not, or presses. */
            readonly analyticsData: readonly components["schemas"]["AnalyticsEntry"][];
        };
        /** @description With `fields=counts`. Totals are those of the range. */
        readonly AnalyticsCounts: {
            readonly totalClicks: number;
            readonly totalQrCodeScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly totalFallBack: number;
            readonly previous?: {
                /**
                 * Format: date
                 * @description First day.
                 * @example 2026-03-10
                 */
                readonly from: string;
                /**
                 * Format: date
                 * @description Last day.
                 * @example 2026-03-10
                 */
                readonly to: string;
                readonly totalClicks: number;
                readonly totalQrCodeScans: number;
                /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
                readonly totalFallBack: number;
            };
            /**
             * Format: date
             * @description The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They begin there.
             * @example 2026-03-10
             */
            readonly availableFrom?: string;
            /** @description Oldest first. Without `fill`, only spans with visits, counted or not, or presses. */
            readonly analyticsData: readonly components["schemas"]["AnalyticsCountsEntry"][];
        };
        /** @description `other` is what the rows leave of `total`: values beyond `limit`, of past days those beyond the 1,000 with the most visits, and visits of old days whose value is not kept. */
        readonly Breakdown: {
            /** @description Most visits first, then by value. */
            readonly rows: readonly components["schemas"]["BreakdownRow"][];
            readonly other: components["schemas"]["VisitCounts"];
            readonly total: components["schemas"]["VisitCounts"];
            /**
             * Format: date
             * @description The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They begin there.
             * @example 2026-03-10
             */
            readonly availableFrom?: string;
        };
        readonly BreakdownRow: {
            /**
             * @description The value; null for visits without one. The id of a smartlink or folder, the name of a tag; `direct` is no referrer, `Mon-09` an hour of the week.
             * @example DE
             */
            readonly value: string | null;
            /** @description Of a smartlink or folder. */
            readonly name?: string;
            /** @description The address of a smartlink. */
            readonly relink?: string;
            readonly clicks: number;
            readonly qrScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly fallbacks: number;
            /** @description Clicks and scans. */
            readonly visits: number;
            /** @description With `by=smartlink`: distinct visitors per day; for a longer span, the sum of its days. */
            readonly uniqueVisitors?: number;
        };
        readonly VisitCounts: {
            readonly clicks: number;
            readonly qrScans: number;
            /** @description Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores. */
            readonly fallbacks: number;
            /** @description Clicks and scans. */
            readonly visits: number;
        };
        /** @description With `by=button`. `other` are the buttons beyond `limit`. */
        readonly Presses: {
            /** @description Most presses first, then by button. */
            readonly rows: readonly components["schemas"]["PressesRow"][];
            readonly other: components["schemas"]["PressCount"];
            readonly total: components["schemas"]["PressCount"];
            /**
             * Format: date
             * @description The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They begin there.
             * @example 2026-03-10
             */
            readonly availableFrom?: string;
        };
        readonly PressesRow: {
            /**
             * @description The button, as in `buttons`.
             * @example button:0
             */
            readonly value: string;
            /**
             * @description The title that the present version has at this place, or the name of the store; null if it has no such button.
             * @example Book a table
             */
            readonly title: string | null;
            readonly presses: number;
        };
        readonly PressCount: {
            readonly presses: number;
        };
        readonly Realtime: {
            /** @description Clicks and scans within these minutes. */
            readonly visits: number;
            /** @description The last 30 whole minutes and the present one, oldest first. */
            readonly minutes: readonly {
                /**
                 * Format: date-time
                 * @description Start of the minute, in UTC.
                 * @example 2026-03-10T12:00:00.000Z
                 */
                readonly time: string;
                readonly clicks: number;
                readonly qrScans: number;
            }[];
            /** @description By id; the ten with the most visits. */
            readonly smartlinks: readonly {
                readonly value: string;
                readonly visits: number;
                readonly name?: string;
                readonly relink?: string;
            }[];
            /** @description By country code; the ten with the most visits. */
            readonly countries: readonly {
                readonly value: string;
                readonly visits: number;
            }[];
            /** @description By device class; the ten with the most visits. */
            readonly devices: readonly {
                readonly value: string;
                readonly visits: number;
            }[];
            /** @description By referring host, `direct` without one; the ten with the most visits. */
            readonly referrers: readonly {
                readonly value: string;
                readonly visits: number;
            }[];
        };
        readonly ResolvedVisit: {
            readonly smartlinkId: string;
            /** @description The visited address. */
            readonly relink: string;
            readonly visitor: {
                /** @description A program, or no `User-Agent`. */
                readonly isBot: boolean;
                /** @description A bot that creates link previews for messages or posts. */
                readonly isPreview: boolean;
                /** @description Identifies as a Mac, but may be an iPad. */
                readonly mayBeIpad: boolean;
                /**
                 * @description Decides which store fits; `other` has none.
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
                /**
                 * @description As it is recorded; empty without one.
                 * @example de-AT
                 */
                readonly language: string;
                /**
                 * @description Host, or `direct`.
                 * @example direct
                 */
                readonly referrer: string;
                /** @enum {string} */
                readonly source: "click" | "scan";
            };
            /**
             * @description What the visitor gets: a `redirect`, one of the variants of a `split`, the smartlink’s own `page`, the list of its stores (`storeList`), a page that distinguishes iPads from Macs (`ipadOrMac`), the `passwordForm`, the tags for a link preview (`openGraph`), or a page that says the smartlink is `paused`, `deleted`, `scheduled`, `expired` or `exhausted`. The last two lead to `location` instead, where it is set.
             * @enum {string}
             */
            readonly decision: "redirect" | "split" | "page" | "storeList" | "ipadOrMac" | "passwordForm" | "openGraph" | "paused" | "deleted" | "scheduled" | "expired" | "exhausted";
            /** @description Destination of a redirect, without the visitor’s own parameters, or `expiredUrl`; null for other decisions. */
            readonly location: string | null;
            /**
             * @description Why. For a redirect the field with the destination: `url`, one of the store links, or `routing`. `noStore`: no store fits and there is no `fallBackLink`. `ipadSaysMac`: iPads identify as Macs, and their store is a different one. `type`: it is a page. `password`: it is protected. `linkPreview`: a messenger requests it. `status`: it is not Active. `startsAt`, `expiresAt`, `maxVisits`: its availability; with `openGraph`, a bot at a limited smartlink.
             * @enum {string}
             */
            readonly rule: "url" | "appStoreLink" | "googlePlayLink" | "windowsAppLink" | "macOsAppLink" | "ipadAppLink" | "appGalleryLink" | "amazonStoreLink" | "fallBackLink" | "routing" | "noStore" | "ipadSaysMac" | "type" | "password" | "linkPreview" | "status" | "startsAt" | "expiresAt" | "maxVisits";
            /** @description How the visit would be counted; null if nothing would be recorded, and of a `split`. */
            readonly counted: {
                /** @enum {string} */
                readonly source: "click" | "scan";
                /**
                 * @description `target`, `page` and `fallback` count; `excluded` visits are only counted by reason.
                 * @enum {string}
                 */
                readonly outcome: "target" | "page" | "fallback" | "excluded";
                /**
                 * @description Why the visit does not count, as in `excluded` of analytics; null if it counts.
                 * @enum {string|null}
                 */
                readonly excluded: "bot" | "head" | "prefetch" | "form" | "paused" | "deleted" | "scheduled" | "expired" | "exhausted" | null;
            } | null;
            /** @description Of an Active smartlink with rules or variants. */
            readonly routing?: components["schemas"]["RouteExplanation"];
            /** @description With `ipadOrMac`: the route of an iPad. */
            readonly ifIpad?: components["schemas"]["VisitRoute"];
            /** @description With `ipadOrMac`: the route of a Mac. */
            readonly ifMac?: components["schemas"]["VisitRoute"];
        };
        readonly RouteExplanation: {
            /** @description Id of the first rule that fits; null if none does. */
            readonly rule: string | null;
            /** @description The rules before, in their order, each with its conditions that do not fit. */
            readonly passed: readonly {
                readonly id: string;
                readonly unfit: readonly string[];
            }[];
            /** @description Variants among which visitors are split. A bot gets the first. */
            readonly variants?: readonly {
                readonly id: string;
                /** @description Its weight divided by those of all. */
                readonly share: number;
                /** @description null: the smartlink’s own answer. */
                readonly location: string | null;
            }[];
        };
        readonly VisitRoute: {
            /**
             * @description What the visitor gets: a `redirect`, one of the variants of a `split`, the smartlink’s own `page`, the list of its stores (`storeList`), a page that distinguishes iPads from Macs (`ipadOrMac`), the `passwordForm`, the tags for a link preview (`openGraph`), or a page that says the smartlink is `paused`, `deleted`, `scheduled`, `expired` or `exhausted`. The last two lead to `location` instead, where it is set.
             * @enum {string}
             */
            readonly decision: "redirect" | "split" | "page" | "storeList" | "ipadOrMac" | "passwordForm" | "openGraph" | "paused" | "deleted" | "scheduled" | "expired" | "exhausted";
            /** @description Destination of a redirect, without the visitor’s own parameters, or `expiredUrl`; null for other decisions. */
            readonly location: string | null;
            /**
             * @description Why. For a redirect the field with the destination: `url`, one of the store links, or `routing`. `noStore`: no store fits and there is no `fallBackLink`. `ipadSaysMac`: iPads identify as Macs, and their store is a different one. `type`: it is a page. `password`: it is protected. `linkPreview`: a messenger requests it. `status`: it is not Active. `startsAt`, `expiresAt`, `maxVisits`: its availability; with `openGraph`, a bot at a limited smartlink.
             * @enum {string}
             */
            readonly rule: "url" | "appStoreLink" | "googlePlayLink" | "windowsAppLink" | "macOsAppLink" | "ipadAppLink" | "appGalleryLink" | "amazonStoreLink" | "fallBackLink" | "routing" | "noStore" | "ipadSaysMac" | "type" | "password" | "linkPreview" | "status" | "startsAt" | "expiresAt" | "maxVisits";
            /** @description How the visit would be counted; null if nothing would be recorded, and of a `split`. */
            readonly counted: {
                /** @enum {string} */
                readonly source: "click" | "scan";
                /**
                 * @description `target`, `page` and `fallback` count; `excluded` visits are only counted by reason.
                 * @enum {string}
                 */
                readonly outcome: "target" | "page" | "fallback" | "excluded";
                /**
                 * @description Why the visit does not count, as in `excluded` of analytics; null if it counts.
                 * @enum {string|null}
                 */
                readonly excluded: "bot" | "head" | "prefetch" | "form" | "paused" | "deleted" | "scheduled" | "expired" | "exhausted" | null;
            } | null;
        };
        readonly CheckedImport: {
            /**
             * @description Identifier of the import.
             * @example 019aa5c4-c000-7000-8000-0000000000d1
             */
            readonly id: string;
            /**
             * @description Format of the file.
             * @enum {string}
             */
            readonly format: "csv" | "json" | "bitly-csv" | "bitly-json" | "shlink-csv" | "shlink-json" | "kutt-csv" | "kutt-json" | "yourls-csv" | "yourls-json";
            /** @description Rows of the file. */
            readonly rows: number;
            /** @description Rows that can be stored. */
            readonly ready: number;
            /** @description Rows that would be refused. */
            readonly refused: number;
            /** @description The first 50 rows that would be refused. */
            readonly problems: readonly {
                /** @description Number of the row, without the heading. */
                readonly row: number;
                /** @description Line of the file where it begins. */
                readonly line?: number;
                /** @description Address that it requests. */
                readonly slug?: string;
                /** @description Why it would be refused. */
                readonly reason: string;
            }[];
        };
        readonly Import: {
            /**
             * @description Identifier of the import.
             * @example 019aa5c4-c000-7000-8000-0000000000d1
             */
            readonly id: string;
            /**
             * @description Format of the file.
             * @enum {string}
             */
            readonly format: "csv" | "json" | "bitly-csv" | "bitly-json" | "shlink-csv" | "shlink-json" | "kutt-csv" | "kutt-json" | "yourls-csv" | "yourls-json";
            /**
             * @description `checked`: nothing is created before it is started. `failed`: some rows were not stored.
             * @enum {string}
             */
            readonly state: "checked" | "running" | "done" | "failed";
            /** @description Rows of the file. */
            readonly total: number;
            /** @description Rows that could be stored when the file was checked. */
            readonly ready: number;
            /** @description Rows that are stored or refused. */
            readonly done: number;
            /** @description Smartlinks created so far. */
            readonly created: number;
            /** @description Rows refused so far; before the start, as many as are expected. */
            readonly refused: number;
            /**
             * Format: date-time
             * @description When the file was uploaded, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the import was started, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly startedAt?: string;
            /**
             * Format: date-time
             * @description When it ended, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly finishedAt?: string;
        };
        readonly Webhook: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly id: string;
            /** @description Where messages are sent. */
            readonly url: string;
            /** @description Purpose of the webhook. */
            readonly description?: string;
            /** @description Event types this webhook is subscribed to. */
            readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "domain.failing" | "domain.unsafe" | "visits.recorded")[];
            /** @description Whether messages are queued and sent. */
            readonly isEnabled: boolean;
            /** @description Why the service disabled the webhook. Absent when its owner did. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description Start of the current series of failed deliveries, in UTC. Absent while deliveries succeed.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly failingSince?: string;
            /**
             * Format: date-time
             * @description When the webhook was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed, in UTC.
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
            /** @description Where messages are sent. */
            readonly url: string;
            /** @description Purpose of the webhook. */
            readonly description?: string;
            /** @description Event types this webhook is subscribed to. */
            readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "domain.failing" | "domain.unsafe" | "visits.recorded")[];
            /** @description Whether messages are queued and sent. */
            readonly isEnabled: boolean;
            /** @description Why the service disabled the webhook. Absent when its owner did. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description Start of the current series of failed deliveries, in UTC. Absent while deliveries succeed.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly failingSince?: string;
            /**
             * Format: date-time
             * @description When the webhook was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            /** @description Secret that signs its messages. Shown only in this answer. */
            readonly secret: string;
        };
        readonly RotatedWebhook: {
            /**
             * @description Identifier of the webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly id: string;
            /** @description Where messages are sent. */
            readonly url: string;
            /** @description Purpose of the webhook. */
            readonly description?: string;
            /** @description Event types this webhook is subscribed to. */
            readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "domain.failing" | "domain.unsafe" | "visits.recorded")[];
            /** @description Whether messages are queued and sent. */
            readonly isEnabled: boolean;
            /** @description Why the service disabled the webhook. Absent when its owner did. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description Start of the current series of failed deliveries, in UTC. Absent while deliveries succeed.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly failingSince?: string;
            /**
             * Format: date-time
             * @description When the webhook was created, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the webhook was last changed, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly updatedAt: string;
            /** @description Secret that signs its messages. Shown only in this answer. */
            readonly secret: string;
            /**
             * Format: date-time
             * @description Messages are also signed with the previous secret until then, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly previousSecretUntil: string;
        };
        readonly WebhookDelivery: {
            /**
             * @description Identifier of the delivery, sent to the receiver as `webhook-id`.
             * @example 7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f
             */
            readonly id: string;
            /**
             * @description Identifier of the webhook.
             * @example 019aa5c4-c000-7000-8000-0000000000a1
             */
            readonly webhookId: string;
            /** @enum {string} */
            readonly eventType: "smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "domain.failing" | "domain.unsafe" | "visits.recorded" | "webhook.test";
            /**
             * Format: date-time
             * @description When the event occurred, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly occurredAt: string;
            /**
             * @description `Pending` until the message is delivered or, 24 hours after the first attempt, `Failed`.
             * @enum {string}
             */
            readonly status: "Pending" | "Delivered" | "Failed";
            /** @description Number of attempts started, those before it was sent again included. */
            readonly attempts: number;
            /**
             * Format: date-time
             * @description When the last attempt started, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description When the next attempt is due, in UTC; during an attempt, when it is considered lost. Present only while `Pending`.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly nextAttemptAt?: string;
            /** @description HTTP status of the last attempt’s response, if there was one. */
            readonly responseStatus?: number;
            /** @description Why the last attempt failed, as text for people. */
            readonly error?: string;
            /** @description Duration of the last attempt in milliseconds. */
            readonly durationMs?: number;
            /**
             * @description The `data` of the message, as the receiver gets it.
             * @example {
             *       "smartlinkId": "019aa5c4-c000-7000-8000-000000000001"
             *     }
             */
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        readonly Person: {
            /**
             * @description Identifier of the person.
             * @example 4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a11
             */
            readonly personId: string;
            /** @description E-mail address. */
            readonly email: string;
            /** @description Whether the person may operate the installation. */
            readonly isOperator: boolean;
            /** @description Whether the person has set a password. */
            readonly hasPassword: boolean;
            /** @description Accounts that the person is a member of, the first 100 by address. */
            readonly accounts: readonly {
                /** @description Identifier of the account. */
                readonly id: string;
                /** @description E-mail address of the account. */
                readonly email: string;
                /** @enum {string} */
                readonly role: "Viewer" | "Editor" | "Owner";
            }[];
            /**
             * Format: date-time
             * @description When the person was made, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Last request of a session that goes on, to the minute, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly lastSeenAt?: string;
            /**
             * Format: date-time
             * @description Since when the person may not sign in, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly disabledAt?: string;
            readonly link?: components["schemas"]["OneTimeLink"];
        };
        /** @description Only in the answer that made it. */
        readonly OneTimeLink: {
            /** @description Works once. */
            readonly url: string;
            /**
             * Format: date-time
             * @description When the link expires, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly expiresAt: string;
        };
        readonly OperatedAccount: {
            /**
             * @description Identifier of the account.
             * @example 4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a10
             */
            readonly id: string;
            /** @description Its e-mail address. */
            readonly email: string;
            /** @description Display name; the e-mail address unless it was changed. */
            readonly name: string;
            /** @description Name of the plan. */
            readonly plan: string;
            /**
             * Format: date-time
             * @description When it was made, in UTC.
             * @example 2026-03-10T12:00:00.000Z
             */
            readonly createdAt: string;
            /** @description People who may use it. */
            readonly members: number;
            /** @description API keys that work. */
            readonly keys: number;
            readonly usage: {
                /** @description Active and paused smartlinks. */
                readonly smartlinks: number;
                /** @description Size of the stored pictures. */
                readonly mediaBytes: number;
            };
            readonly link?: components["schemas"]["OneTimeLink"];
        };
        readonly Plan: {
            /** @description Name of the plan. */
            readonly name: string;
            /** @description Smartlinks, deleted ones not counted; null: unlimited. */
            readonly smartlinks: number | null;
            /** @description Requests a minute, over all keys. */
            readonly requestsPerMinute: number;
            /** @description Days that analytics reach back; null: unlimited. */
            readonly analyticsDays: number | null;
            /** @description Bulk calls, hourly figures, CSV and scopes of keys. */
            readonly advanced: boolean;
            /** @description Bytes of uploaded pictures; null: unlimited. */
            readonly mediaBytes: number | null;
            /** @description Accounts on the plan. */
            readonly accounts: number;
        };
        readonly HealthCheck: {
            /** @description What was checked. */
            readonly name: string;
            /** @description Whether all is well. */
            readonly ok: boolean;
            /** @description What was seen, for human readers. */
            readonly reason?: string;
        };
    };
    responses: {
        /** @description `UNAUTHORIZED`: The key is missing, malformed, unknown, revoked or expired, or the session has ended. */
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
        /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
        /** @description `METHOD_NOT_ALLOWED`: The path does not support the method; `Allow` lists those it supports. */
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
        /** @description `DOMAIN_IN_USE`: The domain is the primary address of an Active or Paused smartlink. */
        readonly DomainInUse: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DomainInUseFailure"];
            };
        };
        /** @description `MEDIA_IN_USE`: An Active or Paused smartlink has an address of the picture. */
        readonly MediaInUse: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["MediaInUseFailure"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The `Idempotency-Key` was used with a different body in the last 24 hours. */
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
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 1 MiB, a picture has too many bytes or pixels, or the results of the patches of a bulk call are together larger than 8 MiB. */
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
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not `application/json` in UTF-8, a picture has a type that is not taken, or the body is compressed. */
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
        /** @description `RATE_LIMITED`: More or costlier requests per minute than the user's plan allows, too many at once, or more than 60 unknown keys per minute from the client's network. */
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
        /** @description `INTERNAL_ERROR`: An internal failure of the service. */
        readonly InternalError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["InternalErrorFailure"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: A database does not answer, too many passwords are waiting to be hashed, a smartlink changes too often, or, with `SAFETY_FAIL_CLOSED`, URLs cannot be checked. Try again later. */
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
        /** @description Identifies the request, also in the logs. */
        readonly "X-Request-Id": string;
        /** @description Requests per minute of the user's plan, over all keys; 60 after too many unknown keys. */
        readonly "RateLimit-Limit": number;
        /** @description Requests left in the current window. */
        readonly "RateLimit-Remaining": number;
        /** @description Seconds until the window ends. */
        readonly "RateLimit-Reset": number;
        /** @description Seconds to wait before a retry. */
        readonly "Retry-After": number;
        /** @description The methods that the path supports. */
        readonly Allow: string;
        /** @description Always `Bearer`. */
        readonly "WWW-Authenticate": string;
        /** @description The version of the answer; for a smartlink, the value for `If-Match`. */
        readonly ETag: string;
        readonly ETagOfOne: string;
        /** @description The public address of the new smartlink, as `relink`. */
        readonly Location: string;
        readonly Link: string;
        readonly "X-Next-Cursor": string;
        readonly "X-Total-Count": string;
        readonly "X-Search": string;
        /** @description The file name. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The account. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Account"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Display name of the account; `null` restores its e-mail address. */
                    readonly name: string | null;
                };
            };
        };
        readonly responses: {
            /** @description The account. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Account"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listMembers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All members. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Member"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    readonly email: string;
                    /**
                     * @description What the person may do in the account.
                     * @enum {string}
                     */
                    readonly role: "Viewer" | "Editor" | "Owner";
                };
            };
        };
        readonly responses: {
            /** @description The invitation. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Invitation"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly removeMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the person. */
                    readonly personId: string;
                };
            };
        };
        readonly responses: {
            /** @description Removed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly updateMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the person. */
                    readonly personId: string;
                    /**
                     * @description What the person may do in the account.
                     * @enum {string}
                     */
                    readonly role: "Viewer" | "Editor" | "Owner";
                };
            };
        };
        readonly responses: {
            /** @description The member. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Member"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly listKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Keys per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The keys. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["ApiKey"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Purpose of the key, in free text. */
                    readonly name: string;
                    /**
                     * @description What the key may do, in any order; `*` is everything, calls of future versions included.
                     * @default [
                     *       "*"
                     *     ]
                     */
                    readonly scopes?: readonly ("links:read" | "links:create" | "links:write" | "analytics:read" | "domains:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "*")[] | null;
                    /**
                     * Format: date-time
                     * @description When the key stops working.
                     * @example 2027-01-01T00:00:00Z
                     */
                    readonly expiresAt?: string | null;
                    /**
                     * @description Addresses and CIDR ranges, IPv4 and IPv6, that the key may be used from. From elsewhere it is answered like an unknown key.
                     * @example [
                     *       "203.0.113.7",
                     *       "2001:db8::/48"
                     *     ]
                     */
                    readonly allowedNetworks?: readonly string[] | null;
                };
            };
        };
        readonly responses: {
            /** @description The new key. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["CreatedApiKey"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the key. */
                    readonly keyId: string;
                };
            };
        };
        readonly responses: {
            /** @description Revoked. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly updateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the key. */
                    readonly id: string;
                    /** @description Purpose of the key, in free text. */
                    readonly name?: string;
                    /** @description What the key may do, in any order; `*` is everything, calls of future versions included. */
                    readonly scopes?: readonly ("links:read" | "links:create" | "links:write" | "analytics:read" | "domains:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "*")[];
                    /**
                     * Format: date-time
                     * @description When the key stops working.
                     * @example 2027-01-01T00:00:00Z
                     */
                    readonly expiresAt?: string | null;
                    /**
                     * @description Addresses and CIDR ranges, IPv4 and IPv6, that the key may be used from. From elsewhere it is answered like an unknown key.
                     * @example [
                     *       "203.0.113.7",
                     *       "2001:db8::/48"
                     *     ]
                     */
                    readonly allowedNetworks?: readonly string[] | null;
                };
            };
        };
        readonly responses: {
            /** @description The changed key. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["ApiKey"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly rotateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the key. */
                    readonly id: string;
                    /** @description How long the present key goes on working; 0 by default. */
                    readonly graceSeconds?: number | null;
                };
            };
        };
        readonly responses: {
            /** @description The key with its new text. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["CreatedApiKey"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly readCurrentKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["ApiKey"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listChanges: {
        readonly parameters: {
            readonly query?: {
                /** @description Only changes of this smartlink. */
                readonly smartlinkId?: string;
                /** @description Only this action, such as `smartlink.update`. */
                readonly action?: string;
                /** @description First day, inclusive, in UTC. */
                readonly from?: string;
                /** @description Last day, inclusive, in UTC. */
                readonly to?: string;
                /** @description Changes per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of changes. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Change"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                /** @description Fetch the smartlink that has this external id instead of a list. */
                readonly externalId?: string;
                /** @description Smartlinks per page: 100 by default with a cursor. Without either, the list is complete. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
                /** @description Smartlinks in this status; Active by default. */
                readonly status?: "Active" | "Paused" | "Deleted" | "all";
                /** @description Smartlinks of this type. */
                readonly type?: "App" | "Url" | "Landing" | "QRTag" | "DigiCard" | "TxtBin" | "QrMenu";
                /** @description Smartlinks with any of these tags: up to 50 names, comma-separated, in any case. */
                readonly tag?: string;
                /** @description `all`: only smartlinks that have all tags of `tag`. */
                readonly tagMode?: "any" | "all";
                /** @description Smartlinks with none of these tags. */
                readonly excludeTag?: string;
                /** @description Smartlinks in this folder; `none`: in no folder. */
                readonly folderId?: string;
                /** @description Archived smartlinks: left out by default; only those (`true`), or those too (`all`). */
                readonly archived?: "false" | "true" | "all";
                /** @description Smartlinks whose address is on any of these domains: up to 50 hosts, comma-separated; `default`: the host of this service. */
                readonly domain?: string;
                /** @description Smartlinks that this person created. */
                readonly createdBy?: string;
                /** @description Created on this day or later, UTC. */
                readonly createdFrom?: string;
                /** @description Created on this day or earlier, UTC. */
                readonly createdTo?: string;
                /** @description `true`: smartlinks that the service paused for an unsafe URL. */
                readonly unsafe?: "true" | "false";
                /** @description Smartlinks whose name, an address (former and imported ones too), destination or notes contain this text, ignoring case. Where the database cannot search like that, `X-Search` is `prefix`: names and addresses that begin with it, at most 1,000 of each. */
                readonly q?: string;
                /** @description The smartlink of this address, a former or imported one too, if it is not deleted; archived ones too. */
                readonly slug?: string;
                /** @description Order of the list; `createdAt` by default. `visits` and `lastVisitAt` may be 30 seconds behind the figures. */
                readonly sort?: "createdAt" | "updatedAt" | "name" | "visits" | "lastVisitAt";
                /** @description `desc` by default, of names `asc`. Equal ones are in the order of their ids. */
                readonly order?: "asc" | "desc";
                /** @description `true`: `X-Total-Count` has the number of smartlinks of all pages, or `10000+`. */
                readonly count?: "true" | "false";
                /** @description Without the content of the smartlinks, with `destinationHost`, `themeColor` and `lastVisitAt`. */
                readonly view?: "summary";
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
                    readonly "X-Total-Count": components["headers"]["X-Total-Count"];
                    readonly "X-Search": components["headers"]["X-Search"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly success: true;
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Smartlink"][] | readonly components["schemas"]["SmartlinkSummary"][] | components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                /** @description 1 to 255 visible ASCII characters, such as a UUID, unique to the request. Values that contain an API key are refused. */
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
            /** @description Created and already live at its `relink`. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `SUBSCRIPTION_LIMIT_REACHED`: The user has the maximum number of smartlinks of the plan, deleted ones not counted, or of bytes of uploaded pictures.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubscriptionLimitReachedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /**
             * @description `SMARTLINK_URL_TAKEN`: Another smartlink has, or had, this `smartlinkUrl`.
             *
             *     `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The `Idempotency-Key` was used with a different body in the last 24 hours.
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
                    readonly "application/json": components["schemas"]["SmartlinkUrlTakenFailure"] | components["schemas"]["NameTakenFailure"] | components["schemas"]["IdempotencyKeyReusedFailure"];
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                /** @description The `ETag` of the version to change, a list of them, or `*`. */
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
            /** @description The smartlink after the change. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            /**
             * @description `SMARTLINK_URL_TAKEN`: Another smartlink has, or had, this `smartlinkUrl`.
             *
             *     `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member.
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
                    readonly "application/json": components["schemas"]["SmartlinkUrlTakenFailure"] | components["schemas"]["NameTakenFailure"];
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
            /** @description The smartlink after the change. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Smartlink"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                /** @description 1 to 255 visible ASCII characters, such as a UUID, unique to the request. Values that contain an API key are refused. */
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
            /** @description Every operation was attempted: `data` has one result each, in the order sent. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly (components["schemas"]["BulkCreated"] | components["schemas"]["BulkUpdated"] | components["schemas"]["BulkDeleted"] | components["schemas"]["BulkRefused"])[];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 409: components["responses"]["IdempotencyKeyReused"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly previewSmartlink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly draft?: components["schemas"]["SmartlinkCreate"];
                    /** @description The smartlink that `patch` would change. */
                    readonly id?: string;
                    /** @description The body of a PATCH; its `id` may be left out. */
                    readonly patch?: {
                        readonly [key: string]: unknown;
                    };
                    /**
                     * @description The own page, the password form, the share card or the preview page.
                     * @enum {string}
                     */
                    readonly view?: "own" | "password" | "share" | "preview";
                    /**
                     * @description Language of the page.
                     * @enum {string}
                     */
                    readonly language?: "en" | "az" | "ru" | "tr";
                };
            };
        };
        readonly responses: {
            /** @description The faults; none if the call would succeed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["DraftCheck"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listUnsafeSmartlinks: {
        readonly parameters: {
            readonly query?: {
                /** @description `unsafe` (default): paused for unsafe URLs, the newest first. `unchecked`: reachable although their URLs are not judged, those that are judged next first; none without a provider. */
                readonly state?: "unsafe" | "unchecked";
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of smartlinks. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["QueuedSmartlink"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly recheckSmartlink: {
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
            /** @description The verdict. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["SafetyVerdict"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listTags: {
        readonly parameters: {
            readonly query?: {
                /** @description Tags whose name contains this text, ignoring case. */
                readonly q?: string;
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of the list. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Tag"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createTag: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /**
                     * @description Colour in lists: `#` and hexadecimal digits.
                     * @example #1a2b3c
                     */
                    readonly color?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description Created. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Tag"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteTag: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the tag. */
                    readonly tagId: string;
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly updateTag: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the tag. */
                    readonly id: string;
                    readonly name?: string;
                    /**
                     * @description Colour in lists: `#` and hexadecimal digits.
                     * @example #1a2b3c
                     */
                    readonly color?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description Changed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Tag"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly mergeTags: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description The tag that goes. */
                    readonly fromId: string;
                    /** @description The tag that stays. */
                    readonly intoId: string;
                };
            };
        };
        readonly responses: {
            /** @description The tag that stays. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Tag"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly listFolders: {
        readonly parameters: {
            readonly query?: {
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of the list. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Folder"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createFolder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /** @description What it is for. */
                    readonly description?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description Created. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Folder"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteFolder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the folder. */
                    readonly folderId: string;
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly updateFolder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the folder. */
                    readonly id: string;
                    readonly name?: string;
                    /** @description What it is for. */
                    readonly description?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description Changed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Folder"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listUtmTemplates: {
        readonly parameters: {
            readonly query?: {
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of the list. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["UtmTemplate"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createUtmTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    readonly utm: {
                        /** @description Value of the parameter `utm_source`. */
                        readonly source?: string | null;
                        /** @description Value of the parameter `utm_medium`. */
                        readonly medium?: string | null;
                        /** @description Value of the parameter `utm_campaign`. */
                        readonly campaign?: string | null;
                        /** @description Value of the parameter `utm_term`. */
                        readonly term?: string | null;
                        /** @description Value of the parameter `utm_content`. */
                        readonly content?: string | null;
                        /** @description Value of the parameter `ref`. */
                        readonly ref?: string | null;
                    };
                };
            };
        };
        readonly responses: {
            /** @description Created. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["UtmTemplate"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteUtmTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the UTM template. */
                    readonly templateId: string;
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly updateUtmTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the UTM template. */
                    readonly id: string;
                    readonly name?: string;
                    /** @description Merges with the stored members; `null` clears one. */
                    readonly utm?: {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly responses: {
            /** @description Changed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["UtmTemplate"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listMedia: {
        readonly parameters: {
            readonly query?: {
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of the list. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Media"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly uploadMedia: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "image/jpeg": string;
                readonly "image/png": string;
                readonly "image/webp": string;
                readonly "image/avif": string;
                readonly "image/gif": string;
                readonly "multipart/form-data": string;
            };
        };
        readonly responses: {
            /** @description Stored, and served at its addresses. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Media"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `SUBSCRIPTION_LIMIT_REACHED`: The user has the maximum number of smartlinks of the plan, deleted ones not counted, or of bytes of uploaded pictures.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubscriptionLimitReachedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 1 MiB, a picture has too many bytes or pixels, or the results of the patches of a bulk call are together larger than 8 MiB. */
            readonly 413: {
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
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not `application/json` in UTF-8, a picture has a type that is not taken, or the body is compressed. */
            readonly 415: {
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
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly deleteMedia: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the picture. */
                    readonly mediaId: string;
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            readonly 409: components["responses"]["MediaInUse"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listDomains: {
        readonly parameters: {
            readonly query?: {
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of the list. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Domain"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description A public host name, in Unicode or as A-labels. It cannot change. */
                    readonly host: string;
                    /** @description Where `/` of the domain leads, an http or https address outside of this service. Without it a small page is shown. */
                    readonly rootUrl?: string | null;
                    /** @description Where unknown addresses of the domain lead. Without it the page for unknown links is shown. */
                    readonly notFoundUrl?: string | null;
                    /** @description Where smartlinks of the domain lead that are over, unless they have an `expiredUrl` of their own. */
                    readonly expiredUrl?: string | null;
                    /** @description Content of `/.well-known/apple-app-site-association`, 64 KiB at most. */
                    readonly appleAppSiteAssociation?: {
                        readonly [key: string]: unknown;
                    } | null;
                    /** @description Content of `/.well-known/assetlinks.json`, 64 KiB at most. */
                    readonly assetLinks?: readonly unknown[] | null;
                    /** @description Whether new smartlinks get this domain if they name none. Only a verified domain may be the default. */
                    readonly isDefault?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description Added. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Domain"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `DOMAIN_TAKEN`: The account has the host already, or another account has proven it. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DomainTakenFailure"];
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
    readonly deleteDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the domain. */
                    readonly domainId: string;
                };
            };
        };
        readonly responses: {
            /** @description Removed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            readonly 409: components["responses"]["DomainInUse"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the domain. */
                    readonly id: string;
                    /** @description Where `/` of the domain leads, an http or https address outside of this service. Without it a small page is shown. */
                    readonly rootUrl?: string | null;
                    /** @description Where unknown addresses of the domain lead. Without it the page for unknown links is shown. */
                    readonly notFoundUrl?: string | null;
                    /** @description Where smartlinks of the domain lead that are over, unless they have an `expiredUrl` of their own. */
                    readonly expiredUrl?: string | null;
                    /** @description Content of `/.well-known/apple-app-site-association`, 64 KiB at most. */
                    readonly appleAppSiteAssociation?: {
                        readonly [key: string]: unknown;
                    } | null;
                    /** @description Content of `/.well-known/assetlinks.json`, 64 KiB at most. */
                    readonly assetLinks?: readonly unknown[] | null;
                    /** @description Whether new smartlinks get this domain if they name none. Only a verified domain may be the default. */
                    readonly isDefault?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description Changed. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Domain"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly verifyDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the domain. */
                    readonly id: string;
                };
            };
        };
        readonly responses: {
            /** @description The domain, verified or not. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Domain"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            /** @description `DOMAIN_TAKEN`: The account has the host already, or another account has proven it. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DomainTakenFailure"];
                };
            };
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
                /** @description First day, inclusive, in `tz`. */
                readonly from?: string;
                /** @description Last day, inclusive, in `tz`. */
                readonly to?: string;
                /** @description IANA time zone of the days, such as `Asia/Baku`; UTC by default. */
                readonly tz?: string;
                /** @description Format of the answer; `json` by default. */
                readonly format?: "json" | "csv";
                /** @description Time span of an entry; `day` by default. */
                readonly interval?: "hour" | "day" | "week" | "month";
                /** @description Also return entries for spans without visits; at most 10,000 entries. */
                readonly fill?: "zero";
                /** @description Answer with clicks, scans and fallbacks alone, which is faster. */
                readonly fields?: "counts";
                /** @description Visits from these countries. Separate several with commas. */
                readonly country?: string;
                /** @description Visits with these classes of device. Separate several with commas. */
                readonly device?: string;
                /** @description Visits with these browsers. Separate several with commas. */
                readonly browser?: string;
                /** @description Visits with these operating systems. Separate several with commas. */
                readonly os?: string;
                /** @description Visits whose first language is one of these. Separate several with commas. */
                readonly language?: string;
                /** @description Visits from these hosts; `direct` is no referrer. Separate several with commas. */
                readonly referrer?: string;
                /** @description Visits by `click` or `scan`. Separate several with commas. */
                readonly source?: string;
                /** @description Visits that ended in `target`, `page` or `fallback`. Separate several with commas. */
                readonly outcome?: string;
                /** @description Visits with these values of `utm_source`. Separate several with commas. */
                readonly utmSource?: string;
                /** @description Visits with these values of `utm_medium`. Separate several with commas. */
                readonly utmMedium?: string;
                /** @description Visits with these values of `utm_campaign`. Separate several with commas. */
                readonly utmCampaign?: string;
                /** @description Visits that these routing rules decided, by id. Separate several with commas. */
                readonly rule?: string;
                /** @description Visits that drew these variants, by id. Separate several with commas. */
                readonly variant?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The analytics. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["SmartlinkAnalytics"] | components["schemas"]["SmartlinkCounts"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Summary"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readAccountAnalytics: {
        readonly parameters: {
            readonly query?: {
                /** @description First day, inclusive, in `tz`. */
                readonly from?: string;
                /** @description Last day, inclusive, in `tz`. */
                readonly to?: string;
                /** @description IANA time zone of the days, such as `Asia/Baku`; UTC by default. */
                readonly tz?: string;
                /** @description Format of the answer; `json` by default. */
                readonly format?: "json" | "csv";
                /** @description Time span of an entry; `day` by default. */
                readonly interval?: "hour" | "day" | "week" | "month";
                /** @description Also return entries for spans without visits; at most 10,000 entries. */
                readonly fill?: "zero";
                /** @description Answer with clicks, scans and fallbacks alone, which is faster. */
                readonly fields?: "counts";
                /** @description Also return the totals of as many days before `from`. Needs `from` and `to`. */
                readonly compare?: "previous";
                /** @description Smartlinks in these states. Separate several with commas. */
                readonly status?: string;
                /** @description Smartlinks of these types. Separate several with commas. */
                readonly type?: string;
                /** @description Smartlinks with any of these tags: up to 50 names, comma-separated, in any case. */
                readonly tag?: string;
                /** @description `all`: only smartlinks that have all tags of `tag`. */
                readonly tagMode?: "any" | "all";
                /** @description Smartlinks with none of these tags. */
                readonly excludeTag?: string;
                /** @description Smartlinks in this folder; `none`: in no folder. */
                readonly folderId?: string;
                /** @description Archived smartlinks only (`true`), or those too (`all`). */
                readonly archived?: "false" | "true" | "all";
                /** @description Smartlinks whose address is on any of these domains: up to 50 hosts, comma-separated; `default`: the host of this service. */
                readonly domain?: string;
                /** @description Smartlinks that this person created. */
                readonly createdBy?: string;
                /** @description These smartlinks, at most 100. Separate several with commas. */
                readonly id?: string;
                /** @description Visits from these countries. Separate several with commas. */
                readonly country?: string;
                /** @description Visits with these classes of device. Separate several with commas. */
                readonly device?: string;
                /** @description Visits with these browsers. Separate several with commas. */
                readonly browser?: string;
                /** @description Visits with these operating systems. Separate several with commas. */
                readonly os?: string;
                /** @description Visits whose first language is one of these. Separate several with commas. */
                readonly language?: string;
                /** @description Visits from these hosts; `direct` is no referrer. Separate several with commas. */
                readonly referrer?: string;
                /** @description Visits by `click` or `scan`. Separate several with commas. */
                readonly source?: string;
                /** @description Visits that ended in `target`, `page` or `fallback`. Separate several with commas. */
                readonly outcome?: string;
                /** @description Visits with these values of `utm_source`. Separate several with commas. */
                readonly utmSource?: string;
                /** @description Visits with these values of `utm_medium`. Separate several with commas. */
                readonly utmMedium?: string;
                /** @description Visits with these values of `utm_campaign`. Separate several with commas. */
                readonly utmCampaign?: string;
                /** @description Visits that these routing rules decided, by id. Separate several with commas. */
                readonly rule?: string;
                /** @description Visits that drew these variants, by id. Separate several with commas. */
                readonly variant?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The analytics. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Analytics"] | components["schemas"]["AnalyticsCounts"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readBreakdown: {
        readonly parameters: {
            readonly query: {
                /** @description What the visits are broken down by; `hourOfWeek` in `tz`; `button` has presses and needs one `id`. */
                readonly by: "smartlink" | "tag" | "folder" | "country" | "device" | "browser" | "os" | "language" | "referrer" | "source" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "domain" | "rule" | "variant" | "button" | "hourOfWeek";
                /** @description Most rows; 100 by default. */
                readonly limit?: number;
                /** @description With `by=hourOfWeek`: also return hours without visits. */
                readonly fill?: "zero";
                /** @description First day, inclusive, in `tz`. */
                readonly from?: string;
                /** @description Last day, inclusive, in `tz`. */
                readonly to?: string;
                /** @description IANA time zone of the days, such as `Asia/Baku`; UTC by default. */
                readonly tz?: string;
                /** @description Format of the answer; `json` by default. */
                readonly format?: "json" | "csv";
                /** @description Smartlinks in these states. Separate several with commas. */
                readonly status?: string;
                /** @description Smartlinks of these types. Separate several with commas. */
                readonly type?: string;
                /** @description Smartlinks with any of these tags: up to 50 names, comma-separated, in any case. */
                readonly tag?: string;
                /** @description `all`: only smartlinks that have all tags of `tag`. */
                readonly tagMode?: "any" | "all";
                /** @description Smartlinks with none of these tags. */
                readonly excludeTag?: string;
                /** @description Smartlinks in this folder; `none`: in no folder. */
                readonly folderId?: string;
                /** @description Archived smartlinks only (`true`), or those too (`all`). */
                readonly archived?: "false" | "true" | "all";
                /** @description Smartlinks whose address is on any of these domains: up to 50 hosts, comma-separated; `default`: the host of this service. */
                readonly domain?: string;
                /** @description Smartlinks that this person created. */
                readonly createdBy?: string;
                /** @description These smartlinks, at most 100. Separate several with commas. */
                readonly id?: string;
                /** @description Visits from these countries. Separate several with commas. */
                readonly country?: string;
                /** @description Visits with these classes of device. Separate several with commas. */
                readonly device?: string;
                /** @description Visits with these browsers. Separate several with commas. */
                readonly browser?: string;
                /** @description Visits with these operating systems. Separate several with commas. */
                readonly os?: string;
                /** @description Visits whose first language is one of these. Separate several with commas. */
                readonly language?: string;
                /** @description Visits from these hosts; `direct` is no referrer. Separate several with commas. */
                readonly referrer?: string;
                /** @description Visits by `click` or `scan`. Separate several with commas. */
                readonly source?: string;
                /** @description Visits that ended in `target`, `page` or `fallback`. Separate several with commas. */
                readonly outcome?: string;
                /** @description Visits with these values of `utm_source`. Separate several with commas. */
                readonly utmSource?: string;
                /** @description Visits with these values of `utm_medium`. Separate several with commas. */
                readonly utmMedium?: string;
                /** @description Visits with these values of `utm_campaign`. Separate several with commas. */
                readonly utmCampaign?: string;
                /** @description Visits that these routing rules decided, by id. Separate several with commas. */
                readonly rule?: string;
                /** @description Visits that drew these variants, by id. Separate several with commas. */
                readonly variant?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The breakdown. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Breakdown"] | components["schemas"]["Presses"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readRealtime: {
        readonly parameters: {
            readonly query?: {
                /** @description Smartlinks in these states. Separate several with commas. */
                readonly status?: string;
                /** @description Smartlinks of these types. Separate several with commas. */
                readonly type?: string;
                /** @description Smartlinks with any of these tags: up to 50 names, comma-separated, in any case. */
                readonly tag?: string;
                /** @description `all`: only smartlinks that have all tags of `tag`. */
                readonly tagMode?: "any" | "all";
                /** @description Smartlinks with none of these tags. */
                readonly excludeTag?: string;
                /** @description Smartlinks in this folder; `none`: in no folder. */
                readonly folderId?: string;
                /** @description Archived smartlinks only (`true`), or those too (`all`). */
                readonly archived?: "false" | "true" | "all";
                /** @description Smartlinks whose address is on any of these domains: up to 50 hosts, comma-separated; `default`: the host of this service. */
                readonly domain?: string;
                /** @description Smartlinks that this person created. */
                readonly createdBy?: string;
                /** @description These smartlinks, at most 100. Separate several with commas. */
                readonly id?: string;
                /** @description Visits from these countries. Separate several with commas. */
                readonly country?: string;
                /** @description Visits with these classes of device. Separate several with commas. */
                readonly device?: string;
                /** @description Visits with these browsers. Separate several with commas. */
                readonly browser?: string;
                /** @description Visits with these operating systems. Separate several with commas. */
                readonly os?: string;
                /** @description Visits whose first language is one of these. Separate several with commas. */
                readonly language?: string;
                /** @description Visits from these hosts; `direct` is no referrer. Separate several with commas. */
                readonly referrer?: string;
                /** @description Visits by `click` or `scan`. Separate several with commas. */
                readonly source?: string;
                /** @description Visits that ended in `target`, `page` or `fallback`. Separate several with commas. */
                readonly outcome?: string;
                /** @description Visits with these values of `utm_source`. Separate several with commas. */
                readonly utmSource?: string;
                /** @description Visits with these values of `utm_medium`. Separate several with commas. */
                readonly utmMedium?: string;
                /** @description Visits with these values of `utm_campaign`. Separate several with commas. */
                readonly utmCampaign?: string;
                /** @description Visits that these routing rules decided, by id. Separate several with commas. */
                readonly rule?: string;
                /** @description Visits that drew these variants, by id. Separate several with commas. */
                readonly variant?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The visits. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Realtime"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `PLAN_RESTRICTED`: The user's plan does not include this call or parameter.
             *
             *     `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlanRestrictedFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly drawQrCode: {
        readonly parameters: {
            readonly query: {
                /** @description Identifier of the smartlink. */
                readonly id: string;
                /** @description Format of the image. */
                readonly format?: "svg" | "png";
                /** @description Width and height in pixels. */
                readonly size?: number;
                /** @description Width of the quiet zone in modules. */
                readonly margin?: number;
                /** @description Level of error correction: M by default, H with a logo. A logo needs Q or H. */
                readonly ecc?: "L" | "M" | "Q" | "H";
                /** @description Colour of the modules: # and 3, 4, 6 or 8 hexadecimal digits (write # as %23). Must be darker than the background, with a contrast of at least 3:1. */
                readonly color?: string;
                /** @description Colour of the background, in the same form. */
                readonly background?: string;
                /** @description Whether the image of the smartlink's own logoLink is in the middle. SVG only, and by its URL: browsers show it if the SVG is a document or part of a page, not in <img>. */
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                /** @description The visitor’s `User-Agent`. Without one the visitor counts as a bot: every browser sends one. */
                readonly userAgent?: string;
                /** @description The visitor’s `Sec-CH-UA-Platform` as Chromium browsers send it, including quotes: `"Android"`. */
                readonly secChUaPlatform?: string;
                /** @description The visitor’s country: an ISO 3166-1 alpha-2 code in upper or lower case; `XX` is unknown. */
                readonly country?: string;
                /** @description The visitor’s `Accept-Language`; its first language counts. */
                readonly language?: string;
                /** @description The address, or the host, from which the visitor comes; without it, directly. */
                readonly referrer?: string;
                /** @description The parameters of the visit, with or without `?`, as in the address: percent-encoded. */
                readonly query?: string;
                /** @description By the short address, or by a QR code. */
                readonly source?: "click" | "scan";
                /** @description Time of the visit: ISO 8601 with a time zone; now by default. */
                readonly at?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The decision. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["ResolvedVisit"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readImports: {
        readonly parameters: {
            readonly query?: {
                /** @description Fetch this import instead of a list. */
                readonly id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A list, or with `id` one import. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Import"][] | components["schemas"]["Import"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly createImport: {
        readonly parameters: {
            readonly query?: {
                /** @description Format of the file; detected by default. */
                readonly format?: "csv" | "json" | "bitly-csv" | "bitly-json" | "shlink-csv" | "shlink-json" | "kutt-csv" | "kutt-json" | "yourls-csv" | "yourls-json";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/octet-stream": string;
                readonly "application/json": string;
                readonly "application/x-ndjson": string;
                readonly "application/gzip": string;
                readonly "text/csv": string;
            };
        };
        readonly responses: {
            /** @description What an import of the file would do. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["CheckedImport"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 1 MiB, a picture has too many bytes or pixels, or the results of the patches of a bulk call are together larger than 8 MiB. */
            readonly 413: {
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
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not `application/json` in UTF-8, a picture has a type that is not taken, or the body is compressed. */
            readonly 415: {
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
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly startImport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the import. */
                    readonly id: string;
                    /** @description Assign another address to rows whose own is taken or invalid, instead of refusing them. */
                    readonly assignSlugs?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description The import. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Import"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly readImportReport: {
        readonly parameters: {
            readonly query: {
                /** @description Identifier of the import. */
                readonly id: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
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
                    readonly "text/csv": string;
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly exportSmartlinks: {
        readonly parameters: {
            readonly query?: {
                /** @description `json` (the default), which an import accepts, or `csv` for spreadsheets. */
                readonly format?: "json" | "csv";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The smartlinks, oldest first. */
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
                    readonly "application/json": readonly {
                        readonly [key: string]: unknown;
                    }[];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Webhook"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                    /** @description Where messages are sent, by POST: an http or https URL with a public host, by the same rules as a smartlink’s destination. Over http, messages are not encrypted. */
                    readonly url: string;
                    /** @description Event types to subscribe to, in any order. */
                    readonly eventTypes: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "domain.failing" | "domain.unsafe" | "visits.recorded")[];
                    /** @description Purpose of the webhook, in free text. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["CreatedWebhook"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: null;
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
                    /** @description Where messages are sent, by POST: an http or https URL with a public host, by the same rules as a smartlink’s destination. Over http, messages are not encrypted. */
                    readonly url?: string;
                    /** @description Event types to subscribe to, in any order. */
                    readonly eventTypes?: readonly ("smartlink.created" | "smartlink.updated" | "smartlink.deleted" | "smartlink.paused" | "smartlink.activated" | "smartlink.unsafe" | "domain.failing" | "domain.unsafe" | "visits.recorded")[];
                    /** @description Purpose of the webhook, in free text. */
                    readonly description?: string | null;
                    /** @description Whether messages are queued and sent. */
                    readonly isEnabled?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description The changed webhook. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Webhook"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["RotatedWebhook"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
            /** @description The queued delivery. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["WebhookDelivery"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
                /** @description Only deliveries with this status; all by default. */
                readonly status?: "Pending" | "Delivered" | "Failed";
                /** @description Deliveries per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["WebhookDelivery"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
                    /** @description Identifier of the delivery, which the receiver got as `webhook-id`. */
                    readonly deliveryId: string;
                };
            };
        };
        readonly responses: {
            /** @description The delivery, queued or in progress. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["WebhookDelivery"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly listPeople: {
        readonly parameters: {
            readonly query?: {
                /** @description Only those whose e-mail address or name contains this, in any case. */
                readonly q?: string;
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of people. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Person"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createPerson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    readonly email: string;
                    /** @description Account to make the person a member of. */
                    readonly accountId?: string | null;
                    /**
                     * @description Role in that account; required with `accountId`.
                     * @enum {string|null}
                     */
                    readonly role?: "Viewer" | "Editor" | "Owner" | null;
                    /** @description Whether the person may operate the installation. */
                    readonly isOperator?: boolean | null;
                };
            };
        };
        readonly responses: {
            /** @description The person. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Person"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updatePerson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the person. */
                    readonly personId: string;
                    /** @description Whether the person may operate the installation. */
                    readonly isOperator?: boolean;
                    /** @description Whether the person is kept from signing in; `true` ends all sessions at once. */
                    readonly isDisabled?: boolean;
                    /**
                     * @description Makes a link that signs the person in within 15 minutes, or lets the person set a new password within 30; within a day where there is none yet.
                     * @enum {string}
                     */
                    readonly link?: "sign-in" | "reset";
                };
            };
        };
        readonly responses: {
            /** @description The person. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Person"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly listAccounts: {
        readonly parameters: {
            readonly query?: {
                /** @description Only those whose e-mail address or name contains this, in any case. */
                readonly q?: string;
                /** @description Objects per page; 100 by default. */
                readonly limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of accounts. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["OperatedAccount"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    readonly email: string;
                    /** @description Display name; by default the e-mail address. */
                    readonly name?: string | null;
                    /** @description Name of a plan, in any case; `Enterprise` by default. */
                    readonly plan?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description The account. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["OperatedAccount"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NAME_TAKEN`: Another object of the account has this name or `externalId`; `details` names the member. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NameTakenFailure"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateOperatedAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Identifier of the account. */
                    readonly id: string;
                    /** @description Name of a plan, in any case. */
                    readonly plan?: string;
                    /** @description Display name; `null` restores the e-mail address. */
                    readonly name?: string | null;
                };
            };
        };
        readonly responses: {
            /** @description The account. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["OperatedAccount"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /**
             * @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.
             *
             *     `CONFIRMATION_REQUIRED`: A signed-in person has neither signed in nor entered the password within the last ten minutes.
             */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"] | components["schemas"]["ConfirmationRequiredFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly listPlans: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All plans. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["Plan"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updatePlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Name of the plan, in any case. */
                    readonly name: string;
                    /** @description Smartlinks, deleted ones not counted; `null`: unlimited. */
                    readonly smartlinks?: number | null;
                    /** @description Requests a minute, over all keys. */
                    readonly requestsPerMinute?: number;
                    /** @description Days that analytics reach back; `null`: unlimited. */
                    readonly analyticsDays?: number | null;
                    /** @description Bulk calls, hourly figures, CSV and scopes of keys. */
                    readonly advanced?: boolean;
                    /** @description Bytes of uploaded pictures; `null`: unlimited. */
                    readonly mediaBytes?: number | null;
                };
            };
        };
        readonly responses: {
            /** @description The plan. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: components["schemas"]["Plan"];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
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
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `NOT_FOUND`: The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted. */
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
    readonly readHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All checks, whatever they found. */
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
                        /** @description What was done, for human readers. */
                        readonly message: string;
                        readonly data: readonly components["schemas"]["HealthCheck"][];
                        /**
                         * Format: date-time
                         * @description Time of the answer, in UTC.
                         * @example 2026-03-10T12:00:00.000Z
                         */
                        readonly timestamp: string;
                        readonly ignored?: components["schemas"]["Ignored"];
                    };
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /** @description `FORBIDDEN`: The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
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
            /** @description Unchanged since the version in `If-None-Match`. */
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
