// Made by `npm run sdk` from the OpenAPI document. Do not edit.

export interface paths {
    "/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         * @description The tenant and key of the credential, and the usage of the monthly quota.
         *
         *     Scope: any valid key.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message
         * @description Each recipient gets a message of its own, with its own id, status and decision; the headers show all of `to` and `cc`, never `bcc`. It counts as many requests, and as many sends of the quota, as it has recipients: when either does not hold all, none is accepted (402, 429). Accepted means stored: the message then ends as delivered, bounced, expired, dropped or cancelled. Once the domain has reached its warm-up cap of the day, the message is deferred to the next day; to a suppressed recipient it is dropped.
         *
         *     Scope: transactional:send.
         *
         *     Limit: 600 a minute (class `send`).
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send up to 100 messages
         * @description Each message has its own answer or error, in order. A batch counts as many requests as it has recipients, 600 at most. If the quota is already used up, the whole batch is refused with 402; an item whose recipients it does not all hold is refused alone.
         *
         *     Scope: transactional:send.
         *
         *     Limit: 600 a minute (class `send`).
         */
        post: operations["sendBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages
         * @description Newest first. What several filters are given for must match all of them.
         *
         *     Scope: transactional:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message
         * @description Scope: transactional:send.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        /**
         * Cancel a message
         * @description Only for a deferred or scheduled message; otherwise 409.
         *
         *     Scope: transactional:send.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["cancelMessage"];
        options?: never;
        head?: never;
        /**
         * Move a scheduled message
         * @description Only for a message that waits for its `scheduled_at`; otherwise 409. A time more than a minute in the past is 422.
         *
         *     Scope: transactional:send.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["rescheduleMessage"];
        trace?: never;
    };
    "/transactional/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a message says
         * @description Rendered as it is sent, with the version of the template and the variables that it was sent with. The HTML is untrusted: it is what its author wrote. 410 `gone` once the content is not kept any more, and for mail of this service itself, such as invitations, which only its recipient reads.
         *
         *     Scope: transactional:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getMessageContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the source of a message
         * @description As `message/rfc822`, the bytes on the wire, with the signature of the last attempt; of a domain whose DKIM keys have changed since, with one of its present keys. 410 `gone` once the content is not kept any more, and for mail of this service itself, such as invitations, which only its recipient reads.
         *
         *     Scope: transactional:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getMessageSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/{id}/attachments/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment of a message
         * @description By its place in `attachments` of the content, from 0. 410 `gone` once the content is not kept any more, and for mail of this service itself.
         *
         *     Scope: transactional:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getMessageAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what was decided about a message
         * @description Every decision in order: what it followed from, what it came to, what happens next. The last one says where the message stands. The first and the last 29 decisions beside its attempts are kept, and the same one in a row counts once.
         *
         *     Scope: transactional:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["explainMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description A new message with the same content, to the same recipient or to `to`. Words of a template are those of the version that it was sent with; its links to follow opens and clicks and to unsubscribe are its own. It counts under the cap and the quota like any other, and is dropped where the recipient is suppressed. 410 `gone` once the content is not kept any more, and for mail of this service itself. Give an `Idempotency-Key` to send it once however often you ask.
         *
         *     Scope: transactional:send.
         *
         *     Limit: 600 a minute (class `send`).
         */
        post: operations["resendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactional/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a message now
         * @description Only for a message that waits for its next attempt; it is tried within seconds. What waits for the warm-up cap, a brake, a pause or its `scheduled_at` is 409 with the reason, as is one that was tried less than a minute ago.
         *
         *     Scope: transactional:send.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["retryMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is kept of messages
         * @description Scope: settings:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getMessageSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what is kept of messages
         * @description With `keep_content` false, what a message says is shown until it has ended (delivered, bounced, expired, dropped or cancelled) and deleted seconds later; of a message to several recipients, when the last of them has ended. What was accepted before the change is not shown any more either, and deleted at the end of its time.
         *
         *     Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeMessageSettings"];
        trace?: never;
    };
    "/mail/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sending domains
         * @description Scope: domains:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a sending domain
         * @description Returns the DNS records to publish. 409 if another account has verified the name, or this account already has it. If two accounts add the same name, the first to verify it gets it.
         *
         *     Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sending domain
         * @description Scope: domains:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete a sending domain
         * @description Sending from it and receiving for it stop. If it is added again, it starts at tier 0; a pause or hold of its warm-up stays.
         *
         *     Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        /**
         * Change the settings of a domain
         * @description Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeDomain"];
        trace?: never;
    };
    "/mail/domains/{id}/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a domain against the sender rules
         * @description What mailbox providers ask of senders, checked in DNS now (six seconds at most). Records that DNS does not answer for are `warn`. Changes nothing.
         *
         *     Scope: domains:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["preflightDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/domains/{id}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List DMARC and TLS reports about a domain
         * @description The newest first, kept for 120 days. They come by mail to `dmarc_address` and `tls_report_address` of the domain, and each counts once.
         *
         *     Scope: domains:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listDomainReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/domains/{id}/brake/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the same-day brake
         * @description Mail that waits for it goes on within seconds, under the cap. The test begins again with what is sent from now on; it decides nothing before another 100 attempts. Does nothing when the brake is off.
         *
         *     Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["releaseDomainBrake"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the DNS records now
         * @description A domain is verified once its DKIM key and return path are found. The `problem` of a record says what is wrong with it. All domains are checked again every day.
         *
         *     Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/domains/{id}/dkim-rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a DKIM key rotation
         * @description Creates a key with a new selector. Publish its record next to the old one: the new key signs as soon as a DNS check finds it. Keep the old record for a few days. 409 if a rotation is already in progress.
         *
         *     Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["rotateDomainDkim"];
        /**
         * Cancel a DKIM key rotation
         * @description Deletes the new key if it does not sign yet. Does nothing if there is none.
         *
         *     Scope: domains:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["cancelDomainDkimRotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Scope: templates:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Templates are Liquid: `{{ name }}` is escaped in HTML, filters, `if` and `for` work, other files cannot be included. Numbers, filters and their arguments are those of Shopify’s Liquid; a filter with wrong arguments is 422 with line and column. Rendering has hard limits of time and memory. Without a text part, one is made from the HTML. In campaign mail, and in mail sent with `unsubscribe: true`, `{{ unsubscribe_url }}` is the recipient’s unsubscribe link.
         *
         *     Scope: templates:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a template
         * @description Scope: templates:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Its name can be used again; mail accepted before is still rendered from it. A campaign that is being sent with it pauses with `template_not_found` and can only be cancelled; one with a subject of its own copied the template when it started, and continues.
         *
         *     Scope: templates:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Change a template
         * @description New content is a new version; mail accepted before is still rendered from the old one. With `expected_version` nobody else’s change is overwritten: 409 when the template is at another version.
         *
         *     Scope: templates:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeTemplate"];
        trace?: never;
    };
    "/templates/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a template
         * @description Renders the current version. 422 if a required variable is missing, or rendering takes too long or too much memory. A template without a text part gets its text from the HTML (empty for HTML over 128 KiB).
         *
         *     Scope: templates:read.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a template
         * @description Newest first. The newest 100 are always kept, older ones as long as a message may need them.
         *
         *     Scope: templates:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a template
         * @description Scope: templates:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getTemplateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a template
         * @description Makes a new version that says what this one said, or none when the template says that already.
         *
         *     Scope: templates:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["restoreTemplateVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import suppressions
         * @description CSV as Mailchimp, SendGrid, Postmark, listmonk, Brevo and Mailgun export it, in the background. The columns are `email`, `reason` and `created_at`, in the names and words of these services; other columns are ignored. Rows without a known reason have that of the query. Entries are merged as by POST /suppressions; an address that has one already counts as skipped.
         *
         *     Scope: suppressions:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["importSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an import of suppressions
         * @description Scope: suppressions:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getSuppressionImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/imports/{id}/failed-rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the failed rows of an import of suppressions
         * @description CSV in UTF-8 with the columns of the import, and the reason in the column `import_error`, which an import ignores: correct the rows and import the file. While the import runs, it has the rows that have failed so far.
         *
         *     Scope: suppressions:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getSuppressionImportFailedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressions
         * @description Scope: suppressions:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress one address or many
         * @description Takes effect with the next send. An address has one entry. An entry with the stream `all` replaces one with `bulk`, never the reverse. Within a stream, the more serious reason stays (most serious first: complaint, unsubscribe, bounce, manual). Returns the entry, or for `emails` all entries in order.
         *
         *     Scope: suppressions:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["addSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a suppression
         * @description Allows all mail to the address again. A contact who unsubscribed stays unsubscribed.
         *
         *     Scope: suppressions:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["removeSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or follow events
         * @description Newest first, without `types`: open, click, bounce and complaint. Opens and clicks of scanners and prefetchers are marked and not counted in rates.
         *
         *     With `order=asc` oldest first in the order of commit, without `types`: all of them. `next_cursor` is never null then: asking again with it as `after` goes on where this page ended, also after days, and gives every event once. `after=newest` begins after the newest event. 410 `gone` when events after the cursor are not kept any more.
         *
         *     Scope: events:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reputation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the reputation of all domains
         * @description The rates leave out opens and clicks by machines, and mail of the built-in domain to the simulator.
         *
         *     Scope: reputation:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listReputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reputation/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what mail to each mailbox provider came to
         * @description Of the last 30 UTC days, most mail first. Mail through a relay and mail to nobody known is left out.
         *
         *     Scope: reputation:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of mail by day
         * @description Each message counts on the UTC day on which it was accepted, whenever it was opened or bounced. Up to a minute behind.
         *
         *     Scope: reputation:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts
         * @description CSV (`text/csv`, options in the query) or JSON (options in the body). Known columns are `email`, `first_name`, `last_name`, `name`, `tags` (separated by `|`), `status`, `subscribed` and `attributes` (a JSON object), in any letter case, and their names in exports of Mailchimp, SendGrid, Postmark, listmonk, Brevo and Mailgun; every other column becomes an attribute. UTF-8, UTF-16 and windows-1252 are detected. The statuses `cleaned`, `bounced`, `complained` and `blocklisted` also suppress the address. In CSV the header is row 1, in JSON the first contact; a bad row does not affect the others. An address that exists already, or comes again in the file, is skipped, or with `update_existing` updated with the fields that the row has; either way it is added to the list. An import never subscribes anybody who unsubscribed or complained.
         *
         *     Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an import
         * @description Reads the beginning of a CSV file (at most 1 MiB; the last row may be cut) and returns what each column becomes, in the words of `mapping`, and the first five rows. Nothing is stored.
         *
         *     Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["previewImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Without row errors; read a single import for those.
         *
         *     Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an import
         * @description Counts grow while it runs. `errors` are the first 100.
         *
         *     Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/imports/{id}/failed-rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the failed rows of an import
         * @description CSV in UTF-8 with the columns of the import, and the reason in the column `import_error`, which an import ignores: correct the rows and import the file. While the import runs, it has the rows that have failed so far.
         *
         *     Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getImportFailedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lists
         * @description Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listLists"];
        put?: never;
        /**
         * Create a list
         * @description Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a list
         * @description Its contacts are at `GET /contacts?list_id=`.
         *
         *     Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getList"];
        put?: never;
        post?: never;
        /**
         * Delete a list
         * @description Its contacts are kept. A campaign that is being sent to it pauses with `list_not_found`: messages already submitted are delivered, nobody else receives it, and it can only be cancelled.
         *
         *     Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteList"];
        options?: never;
        head?: never;
        /**
         * Rename a list
         * @description Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeList"];
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create a contact
         * @description There is one contact per address, in any letter case; 409 if it exists. Without `status`, an address that unsubscribed or complained before is created as unsubscribed.
         *
         *     Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a contact
         * @description Scope: contacts:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Delete a contact
         * @description Sent messages and a suppression of the address are kept.
         *
         *     Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Fields left out do not change; `attributes`, `tags` and `lists` are replaced as a whole. Setting `status` to subscribed does not lift a suppression of the address.
         *
         *     Scope: contacts:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeContact"];
        trace?: never;
    };
    "/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export a list
         * @description Writes a list to a CSV file in the background, newest first, up to 1000000 rows. The file is kept for 24 hours; a tenant has at most 12, the oldest makes place for a new one, and 10 are written at once (409 `conflict`). Where a spreadsheet would see the begin of a formula, an apostrophe stands before it. The key needs the scope that reading that list needs. The audit log is for signed-in owners only (403 `forbidden`).
         *
         *     Scope: any valid key.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an export
         * @description How far it is. 404 once the file is removed. The key needs the scope that reading that list needs. The audit log is for signed-in owners only (403 `forbidden`).
         *
         *     Scope: any valid key.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an exported list
         * @description CSV in UTF-8. 409 `conflict` while it is being written. The key needs the scope that reading that list needs. The audit log is for signed-in owners only (403 `forbidden`).
         *
         *     Scope: any valid key.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getExportFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description Scope: campaigns:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a draft
         * @description Subject, html and text are Liquid; `email`, `first_name`, `last_name` and the contact’s attributes are the variables. `{{ unsubscribe_url }}` is the recipient’s unsubscribe link, the same as in the List-Unsubscribe header; its page asks for confirmation. An attribute of that name is ignored.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a campaign
         * @description Scope: campaigns:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign
         * @description Only for a draft or a scheduled campaign; otherwise 409.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description Only for a draft or a scheduled campaign; otherwise 409, as when `version` is no longer the stored one.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeCampaign"];
        trace?: never;
    };
    "/campaigns/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a campaign
         * @description Creates a draft with the same content, sender and audience, whatever became of the first.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a campaign before its launch
         * @description The sender rules for its domain, its words as some of its recipients would get them, whom it reaches, and how many messages leave on which day under the cap. Changes nothing.
         *
         *     Scope: campaigns:read.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["preflightCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description One message as a contact would get it, with [Test] before its subject. Nothing of it is counted in the campaign.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["sendCampaignTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Launch or schedule a campaign
         * @description Every contact of the audience who is still subscribed when the campaign reaches them gets exactly one message. With `scheduled_at` in the future it starts then; until then `undo-launch` takes it back. The sending domain must be verified and not paused. A launch that reaches nobody now (no contacts, or all unsubscribed or suppressed) is 422 and says how many they are; so is a `scheduled_at` more than a minute in the past.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["launchCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/undo-launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a launch
         * @description Makes a draft of a scheduled campaign again: nothing of it was sent. One that has started answers 409; pause it.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["undoLaunch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description No more messages are created, and waiting messages are held. Messages being delivered right now still go out.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused campaign
         * @description Continues where it stopped. Nobody receives the campaign twice.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Cannot be undone. Waiting messages are cancelled; sent messages are not affected.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failed recipients
         * @description Contacts for whom no message could be created, for example without a variable that the template requires.
         *
         *     Scope: campaigns:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listFailedRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry failed recipients
         * @description For a campaign that is sending or was sent.
         *
         *     Scope: campaigns:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["retryFailedRecipients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the report of a campaign
         * @description For as long as its messages are kept. Machines are told apart from people.
         *
         *     Scope: campaigns:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getCampaignReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the recipients as CSV
         * @description One line for each recipient, with what became of the message and what they did first. Where a spreadsheet would see the begin of a formula, an apostrophe stands before it.
         *
         *     Scope: campaigns:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["downloadCampaignRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Scope: webhooks:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events of the chosen types are posted to the URL, signed as Standard Webhooks says, up to 7 times until it answers 2xx. A tenant may have 20. `secret` is in this answer only. With a JWT it needs a sign-in or `confirmIdentity` (GraphQL) within the last 10 minutes.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Scope: webhooks:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description What waits for it is not posted any more, and its log cannot be read any more.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description While it is off nothing is posted and no new event is kept for it; what waited already is posted when it is on again within seven days. Another URL: With a JWT it needs a sign-in or `confirmIdentity` (GraphQL) within the last 10 minutes.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description For 24 hours the old secret signs beside the new one. `secret` is in this answer only.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event to a webhook
         * @description Passes if the endpoint responds with 2xx within 10 seconds. It is in no log.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Kept for 30 days.
         *
         *     Scope: webhooks:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{wdl}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description Whatever became of it: starts again with attempt 1, under the same `webhook-id`.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the events of a range of time again
         * @description All deliveries of the webhook that were made from `since` on and before `until` (now, without it), those that were not attempted yet apart. They start again in the background, oldest first.
         *
         *     Scope: webhooks:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert rules
         * @description Scope: settings:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listAlertRules"];
        put?: never;
        /**
         * Create an alert rule
         * @description An alert opens when the value reaches the threshold, once, and is resolved when it is well again (rates: below 80 % of it). A rule of a domain stands instead of the rule for all. A tenant may have 200.
         *
         *     Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an alert rule
         * @description Its open alerts end with it.
         *
         *     Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteAlertRule"];
        options?: never;
        head?: never;
        /**
         * Change an alert rule
         * @description Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeAlertRule"];
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Newest first; kept for 400 days after they were resolved.
         *
         *     Scope: settings:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where alerts are posted to
         * @description Scope: settings:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getAlertSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set where alerts are posted to
         * @description Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeAlertSettings"];
        trace?: never;
    };
    "/settings/alerts/test-send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post a test message to the chat
         * @description Passes if the chat responds with 2xx within 10 seconds.
         *
         *     Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["testAlertChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/inbound-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the webhook
         * @description Scope: settings:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getInboundWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set up or change the webhook
         * @description The first change creates the secret; `rotate_secret=true` replaces it, and the new one signs from then on. A secret is shown once. The URL must be https, without credentials, at a public address. With a JWT it needs a sign-in or `confirmIdentity` (GraphQL) within the last 10 minutes.
         *
         *     Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeInboundWebhook"];
        trace?: never;
    };
    "/settings/inbound-webhook/test-send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message to the webhook
         * @description Passes if the endpoint responds with 2xx within 10 seconds.
         *
         *     Scope: settings:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["testInboundWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/mailboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mailboxes
         * @description Scope: mail:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listMailboxes"];
        put?: never;
        /**
         * Create a mailbox
         * @description Its domain must be a verified domain of the tenant. Mail received earlier is not moved.
         *
         *     Scope: mail:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        post: operations["createMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/mailboxes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a mailbox
         * @description Scope: mail:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getMailbox"];
        put?: never;
        post?: never;
        /**
         * Delete a mailbox
         * @description Its messages are kept, without a mailbox.
         *
         *     Scope: mail:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteMailbox"];
        options?: never;
        head?: never;
        /**
         * Rename a mailbox
         * @description Scope: mail:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeMailbox"];
        trace?: never;
    };
    "/mail/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inbound messages
         * @description Scope: mail:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["listInboundMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an inbound message
         * @description Scope: mail:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getInboundMessage"];
        put?: never;
        post?: never;
        /**
         * Delete an inbound message
         * @description A webhook delivery in progress continues.
         *
         *     Scope: mail:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        delete: operations["deleteInboundMessage"];
        options?: never;
        head?: never;
        /**
         * Mark an inbound message as read or unread
         * @description Scope: mail:write.
         *
         *     Limit: 60 a minute (class `write`).
         */
        patch: operations["changeInboundMessage"];
        trace?: never;
    };
    "/mail/messages/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the raw message
         * @description The received message, byte for byte, as `message/rfc822`.
         *
         *     Scope: mail:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getInboundMessageSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail/messages/{id}/attachments/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment
         * @description Scope: mail:read.
         *
         *     Limit: 60 a minute (class `read`).
         */
        get: operations["getInboundAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "message.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** We accepted a message */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.accepted";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.deferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It waits; `data.data` says why */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.deferred";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The next mail server accepted it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.delivered";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.bounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It failed for good */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.bounced";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.complained": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its recipient reported it as spam */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.complained";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It was opened; `machine_open` marks scanners and prefetchers */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.opened";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.clicked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** One of its links was followed */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.clicked";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its recipient unsubscribed by it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.unsubscribed";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.dropped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It was not sent, because its recipient is suppressed or the like */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.dropped";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It could not be delivered in time */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.expired";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It was cancelled before it was sent */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "message.cancelled";
                        /** Format: date-time */
                        timestamp: string;
                        /** @description the event as GET /events shows it, with what its message is */
                        data: {
                            /** @description as `webhook-id` */
                            id: string;
                            type: string;
                            message_id: string;
                            campaign_id?: string | null;
                            recipient: string;
                            domain: string;
                            /** Format: date-time */
                            occurred_at: string;
                            data: Record<string, unknown>;
                            from?: string | null;
                            subject?: string | null;
                            tags?: Record<string, unknown>[] | null;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain may send */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.verified";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The records of a domain are not found any more, or were never */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.failed";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain was paused; `reason` says why */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.paused";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pause was lifted */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.resumed";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.tier_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain moved to another warm-up tier */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.tier_changed";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.braked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail of a domain waits for the rest of the day, because today it comes to no good; `reason` says what */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.braked";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.brake_released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The brake of a domain was released by hand */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "domain.brake_released";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Every recipient of a campaign has their message */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "campaign.sent";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact unsubscribed */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "contact.unsubscribed";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alert.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something that you watch reached its threshold; `kind` says what */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "alert.opened";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alert.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It is well again; the numbers are those of the opening */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "alert.resolved";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "inbound.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail came in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "inbound.received";
                        /** Format: date-time */
                        timestamp: string;
                        data: Record<string, unknown>;
                    };
                };
            };
            responses: {
                /** @description taken; anything else is tried again, but 4xx other than 429 */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AddSuppressionsRequest: {
            /** Format: idn-email */
            email?: string;
            emails?: string[];
            reason?: components["schemas"]["AddSuppressionsRequestReason"];
            stream?: components["schemas"]["AddSuppressionsRequestStream"];
        };
        /**
         * @default manual
         * @enum {string}
         */
        AddSuppressionsRequestReason: "bounce" | "complaint" | "unsubscribe" | "manual";
        /**
         * @description default: `bulk` with the reason `unsubscribe`, otherwise `all`
         * @enum {string}
         */
        AddSuppressionsRequestStream: "all" | "bulk";
        AddSuppressionsResult: components["schemas"]["Suppression"] | components["schemas"]["AddedSuppressions"];
        /** @description The entries of several addresses */
        AddedSuppressions: {
            items: components["schemas"]["Suppression"][];
            /** @description number of new suppressions */
            added: number;
        };
        /** @description Something that reached its threshold */
        Alert: {
            id: string;
            rule_id: string;
            kind: components["schemas"]["AlertKind"];
            /** @description name of the domain, URL of the webhook, name of the key or of the account */
            subject: string;
            domain_id: string | null;
            /** @description as it opened, in the unit of the kind */
            value: number;
            threshold: number;
            /** @description the same as one sentence */
            text: string;
            /** Format: date-time */
            opened_at: string;
            resolved_at: string | null;
        };
        /** @enum {string} */
        AlertKind: "bounce_rate" | "complaint_rate" | "block_rate" | "waiting_age" | "webhook_failing" | "dns_broken" | "key_unused" | "key_refused" | "quota";
        AlertPage: {
            items: components["schemas"]["Alert"][];
            next_cursor: string | null;
        };
        /** @description What is watched, from which value on, and who is told */
        AlertRule: {
            id: string;
            kind: components["schemas"]["AlertKind"];
            domain_id: string | null;
            threshold: number;
            enabled: boolean;
            mail: boolean;
            chat: boolean;
            /** Format: date-time */
            created_at: string;
        };
        AlertRulePage: {
            items: components["schemas"]["AlertRule"][];
            next_cursor: string | null;
        };
        /** @description Where alerts are posted to */
        AlertSettings: {
            /** @description the host of the chat webhook; its URL is not shown */
            chat_host: string | null;
        };
        /** @description What became of the messages that were accepted in a range of days */
        Analytics: {
            period: components["schemas"]["AnalyticsPeriod"];
            previous: components["schemas"]["AnalyticsPrevious"];
            /** @description those with the most mail; null without group_by */
            groups: components["schemas"]["AnalyticsGroup"][] | null;
            /** @description what may explain a change, oldest first */
            annotations: components["schemas"]["AnalyticsAnnotation"][];
            /** @description rates from which mailbox providers, or services like this one, act */
            limits: components["schemas"]["AnalyticsLimit"][];
        };
        AnalyticsAnnotation: {
            /** Format: date-time */
            at: string;
            kind: components["schemas"]["AnalyticsAnnotationKind"];
            /** @description name of the domain, or of the campaign */
            subject: string;
            from_tier: number | null;
            to_tier: number | null;
        };
        /** @enum {string} */
        AnalyticsAnnotationKind: "tier" | "paused" | "resumed" | "brake" | "brake_released" | "campaign";
        AnalyticsGroup: {
            /** @description what to filter by */
            value: string;
            /** @description its name; null of what was deleted */
            label: string | null;
            accepted: number;
            delivered: number;
            bounced: number;
            expired: number;
            dropped: number;
            cancelled: number;
            /** @description neither ended nor given up yet */
            waiting: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            unsubscribed: number;
            /** @description of what was delivered or bounced; null without any */
            bounce_rate: number | null;
            /** @description of what was delivered; null without any */
            complaint_rate: number | null;
        };
        AnalyticsLimit: {
            rate: components["schemas"]["AnalyticsLimitRate"];
            value: number;
            label: string;
            source: string;
        };
        /** @enum {string} */
        AnalyticsLimitRate: "bounces" | "complaints";
        AnalyticsPeriod: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            totals: components["schemas"]["AnalyticsPeriodTotals"];
            /** @description oldest first, also those without mail */
            days: components["schemas"]["AnalyticsPeriodDay"][];
        };
        AnalyticsPeriodDay: {
            /** Format: date */
            date: string;
            accepted: number;
            delivered: number;
            bounced: number;
            expired: number;
            dropped: number;
            cancelled: number;
            /** @description neither ended nor given up yet */
            waiting: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            unsubscribed: number;
            /** @description of what was delivered or bounced; null without any */
            bounce_rate: number | null;
            /** @description of what was delivered; null without any */
            complaint_rate: number | null;
        };
        AnalyticsPeriodTotals: {
            accepted: number;
            delivered: number;
            bounced: number;
            expired: number;
            dropped: number;
            cancelled: number;
            /** @description neither ended nor given up yet */
            waiting: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            unsubscribed: number;
            /** @description of what was delivered or bounced; null without any */
            bounce_rate: number | null;
            /** @description of what was delivered; null without any */
            complaint_rate: number | null;
        };
        /** @description as many days, right before */
        AnalyticsPrevious: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            totals: components["schemas"]["AnalyticsPreviousTotals"];
            /** @description oldest first, also those without mail */
            days: components["schemas"]["AnalyticsPreviousDay"][];
        };
        AnalyticsPreviousDay: {
            /** Format: date */
            date: string;
            accepted: number;
            delivered: number;
            bounced: number;
            expired: number;
            dropped: number;
            cancelled: number;
            /** @description neither ended nor given up yet */
            waiting: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            unsubscribed: number;
            /** @description of what was delivered or bounced; null without any */
            bounce_rate: number | null;
            /** @description of what was delivered; null without any */
            complaint_rate: number | null;
        };
        AnalyticsPreviousTotals: {
            accepted: number;
            delivered: number;
            bounced: number;
            expired: number;
            dropped: number;
            cancelled: number;
            /** @description neither ended nor given up yet */
            waiting: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            unsubscribed: number;
            /** @description of what was delivered or bounced; null without any */
            bounce_rate: number | null;
            /** @description of what was delivered; null without any */
            complaint_rate: number | null;
        };
        AuditLogExportFilter: {
            /** @description an action, or a kind of actions */
            action?: string;
            /** @description address of a person, id of a key, or name of a job */
            actor?: string;
            /** Format: date-time */
            since?: string;
            /** Format: date-time */
            until?: string;
        };
        AuditLogExportRequest: {
            /** @constant */
            kind: "audit_log";
            filter?: components["schemas"]["AuditLogExportFilter"];
        };
        /** @description Why one message of a batch was refused */
        BatchItemError: {
            error: string;
            message: string;
            details?: components["schemas"]["BatchItemErrorDetail"][];
        };
        BatchItemErrorDetail: {
            path: string;
            message: string;
        };
        /** @description One message to the subscribed contacts of an audience */
        Campaign: {
            id: string;
            /** @description goes up with every change of the content */
            version: number;
            name: string;
            from: string;
            reply_to: string | null;
            subject: string | null;
            template_id: string | null;
            html: string | null;
            text: string | null;
            audience: components["schemas"]["CampaignAudienceListId"] | components["schemas"]["CampaignAudienceTag"] | components["schemas"]["CampaignAudienceAll"];
            track_opens: boolean | null;
            track_clicks: boolean | null;
            status: components["schemas"]["CampaignStatus"];
            /** @description `requested`, or an error code */
            pause_reason: string | null;
            pause_message: string | null;
            scheduled_at: string | null;
            launched_at: string | null;
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            stats: components["schemas"]["CampaignStats"];
            /** @description only of a single campaign that is being sent */
            eta: components["schemas"]["CampaignEta"] | null;
        };
        CampaignAudienceAll: {
            /** @constant */
            all: true;
        };
        CampaignAudienceListId: {
            list_id: string;
        };
        CampaignAudienceTag: {
            tag: string;
        };
        CampaignChange: {
            name?: string;
            from?: string;
            reply_to?: string | null;
            /** @description Liquid; replaces the subject of the template */
            subject?: string | null;
            template_id?: string | null;
            /** @description Liquid, with the contact’s attributes as variables */
            html?: string | null;
            text?: string | null;
            /** @description the subscribed contacts of a list, with a tag, or all of them */
            audience?: components["schemas"]["CampaignChangeAudienceListId"] | components["schemas"]["CampaignChangeAudienceTag"] | components["schemas"]["CampaignChangeAudienceAll"];
            track_opens?: boolean | null;
            track_clicks?: boolean | null;
            /** @description refuses with 409 when the campaign has another version by now: somebody else changed it */
            version?: number;
            /** @description true: saves a draft whose content is missing or does not parse yet; its launch checks it */
            unfinished?: boolean;
        };
        CampaignChangeAudienceAll: {
            /** @constant */
            all: true;
        };
        CampaignChangeAudienceListId: {
            /** @description `lst_…` */
            list_id: string;
        };
        CampaignChangeAudienceTag: {
            tag: string;
        };
        /** @description One message to many contacts, from a template or with its own content */
        CampaignCreate: {
            name: string;
            from: string;
            reply_to?: string | null;
            /** @description Liquid; replaces the subject of the template */
            subject?: string | null;
            template_id?: string | null;
            /** @description Liquid, with the contact’s attributes as variables */
            html?: string | null;
            text?: string | null;
            /** @description the subscribed contacts of a list, with a tag, or all of them */
            audience: components["schemas"]["CampaignCreateAudienceListId"] | components["schemas"]["CampaignCreateAudienceTag"] | components["schemas"]["CampaignCreateAudienceAll"];
            track_opens?: boolean | null;
            track_clicks?: boolean | null;
            /** @description true: saves a draft whose content is missing or does not parse yet; its launch checks it */
            unfinished?: boolean;
        };
        CampaignCreateAudienceAll: {
            /** @constant */
            all: true;
        };
        CampaignCreateAudienceListId: {
            /** @description `lst_…` */
            list_id: string;
        };
        CampaignCreateAudienceTag: {
            tag: string;
        };
        CampaignEta: {
            /** @description when the last message is expected to be sent; null: not at the current cap */
            at: string | null;
            /** @description campaign messages that the domain can send today */
            per_day: number;
            assumption: string;
        };
        CampaignPage: {
            items: components["schemas"]["Campaign"][];
            next_cursor: string | null;
        };
        /** @description A campaign and its domain before a launch */
        CampaignPreflight: {
            /** @description whether no check fails */
            ok: boolean;
            /** @description campaign messages that the domain may send today */
            bulk_allowed_per_day: number;
            checks: components["schemas"]["PreflightCheck"][];
            audience: components["schemas"]["CampaignPreflightAudience"];
            plan: components["schemas"]["CampaignPreflightPlan"];
        };
        CampaignPreflightAudience: {
            total: number;
            sendable: number;
            unsubscribed: number;
            suppressed: number;
            /** @description who gets no message; with `sendable` they add up to `total`. unsubscribed: The contact has unsubscribed; suppressed_bounce: The address is suppressed: mail to it bounced; suppressed_complaint: The address is suppressed: its reader reported spam; suppressed_unsubscribe: The address is suppressed: its reader unsubscribed by a link; suppressed_manual: The address is suppressed: somebody of the account put it there; missing_variable: The contact has no value for a variable that the template requires */
            left_out: components["schemas"]["CampaignPreflightAudienceLeftOutItem"][];
        };
        CampaignPreflightAudienceLeftOutItem: {
            reason: components["schemas"]["CampaignPreflightAudienceLeftOutItemReason"];
            contacts: number;
        };
        /** @enum {string} */
        CampaignPreflightAudienceLeftOutItemReason: "unsubscribed" | "suppressed_bounce" | "suppressed_complaint" | "suppressed_unsubscribe" | "suppressed_manual" | "missing_variable";
        /** @description what leaves on which UTC day, if launched now */
        CampaignPreflightPlan: {
            assumption: string;
            days: components["schemas"]["CampaignPreflightPlanDay"][];
            /** @description messages that would still wait after these days */
            left: number;
        };
        CampaignPreflightPlanDay: {
            /** Format: date */
            date: string;
            tier: number;
            /** @description campaign messages that the domain may send on that day */
            bulk_cap: number;
            /** @description of this campaign */
            sends: number;
        };
        /** @description Opens and clicks over time, and links by recipients */
        CampaignReport: {
            by: components["schemas"]["CampaignReportBy"];
            /** @description messages first opened or clicked then, by people and by machines; oldest first */
            points: components["schemas"]["CampaignReportPoint"][];
            links: components["schemas"]["CampaignReportLink"][];
        };
        /**
         * @description how long a point is
         * @enum {string}
         */
        CampaignReportBy: "hour" | "day";
        CampaignReportLink: {
            url: string;
            /** @description people who followed it */
            recipients: number;
            /** @description all times that people followed it */
            clicks: number;
            machine_clicks: number;
        };
        CampaignReportPoint: {
            /** Format: date-time */
            at: string;
            opens: number;
            clicks: number;
            machine_opens: number;
            machine_clicks: number;
        };
        /** @description Exact counts; queued to failed add up to the recipients */
        CampaignStats: {
            recipients: number;
            queued: number;
            deferred: number;
            dropped: number;
            delivered: number;
            bounced: number;
            expired: number;
            cancelled: number;
            /** @description their message could not be created; see `GET …/failed` */
            failed: number;
            complained: number;
            opened: number;
            clicked: number;
            unsubscribed: number;
        };
        /** @enum {string} */
        CampaignStatus: "draft" | "scheduled" | "sending" | "paused" | "sent" | "cancelled";
        ChangeAlertRuleRequest: {
            /** @description in the unit of the kind (docs/alerts.md) */
            threshold?: number;
            /** @description false also ends its open alerts */
            enabled?: boolean;
            /** @description the owners get mail */
            mail?: boolean;
            /** @description the chat of the alert settings is told */
            chat?: boolean;
        };
        ChangeAlertSettingsRequest: {
            /** @description https, at a public address; takes `{"text": "…"}` as Slack does; null removes it; never shown again */
            chat_webhook_url?: string | null;
        };
        ChangeDomainRequest: {
            inbound_enabled?: boolean;
            spam_policy?: components["schemas"]["ChangeDomainRequestSpamPolicy"];
            cfbl_enabled?: boolean;
            transactional_reserve?: number;
            brake_enabled?: boolean;
            sender_rules_enabled?: boolean;
            pool?: string | null;
        };
        /** @enum {string} */
        ChangeDomainRequestSpamPolicy: "keep" | "mark" | "refuse";
        ChangeInboundMessageRequest: {
            read?: boolean;
        };
        ChangeInboundWebhookRequest: {
            /**
             * Format: uri
             * @description https, without credentials, at a public address
             */
            webhook_url?: string;
            enabled?: boolean;
        };
        ChangeInboundWebhookResult: {
            webhook_url: string | null;
            enabled: boolean;
            created_at: string | null;
            rotated_at: string | null;
            /** @description only when created or rotated; shown once */
            secret?: string;
            /** @constant */
            secret_revealed_once?: true;
        };
        ChangeListRequest: {
            name?: string;
        };
        ChangeMailboxRequest: {
            name?: string | null;
        };
        ChangeMessageSettingsRequest: {
            /** @description false: what a message says is deleted when it has ended. For messages accepted from then on */
            keep_content?: boolean;
        };
        ChangeTemplateRequest: {
            name?: string;
            subject?: string;
            html?: string | null;
            text?: string | null;
            variables?: components["schemas"]["ChangeTemplateRequestVariable"][];
            test_data?: components["schemas"]["ChangeTemplateRequestTestData"];
            /** @description refuse the change with 409 when the template is at another version: somebody else saved meanwhile */
            expected_version?: number;
        };
        /** @description values that previews in the dashboard use, at most 64 KiB as JSON; mail never does */
        ChangeTemplateRequestTestData: {
            [key: string]: unknown;
        };
        ChangeTemplateRequestVariable: {
            name: string;
            /** @default false */
            required: boolean;
            /** @default null */
            default: string | number | boolean | null;
        };
        ChangeWebhookRequest: {
            /**
             * Format: uri
             * @description https, without credentials, at a public address
             */
            url?: string;
            /** @description types of events, or `["*"]` for all of them, later ones too */
            event_types?: components["schemas"]["WebhookEventType"][];
            description?: string | null;
            /** @description only events of these domains (`dom_…`), and those that belong to no domain; null: all */
            domain_ids?: string[] | null;
            /** @description true also ends what turned it off by itself */
            enabled?: boolean;
        };
        /** @description One person of the account */
        Contact: {
            id: string;
            email: string;
            first_name: string | null;
            last_name: string | null;
            attributes: components["schemas"]["ContactAttributes"];
            tags: string[];
            /** @description ids of the lists that the contact is on */
            lists: string[];
            status: components["schemas"]["ContactStatus"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ContactAttributes: {
            [key: string]: unknown;
        };
        ContactChange: {
            /** Format: idn-email */
            email?: string;
            first_name?: string | null;
            last_name?: string | null;
            attributes?: components["schemas"]["ContactChangeAttributes"];
            tags?: string[];
            status?: components["schemas"]["ContactChangeStatus"];
            /** @description ids of the lists that the contact is on */
            lists?: string[];
        };
        /** @description custom fields; available as template variables in campaigns */
        ContactChangeAttributes: {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ContactChangeStatus: "subscribed" | "unsubscribed";
        /** @description A person; the address is compared without letter case */
        ContactCreate: {
            /** Format: idn-email */
            email: string;
            first_name?: string | null;
            last_name?: string | null;
            attributes?: components["schemas"]["ContactCreateAttributes"];
            tags?: string[];
            status?: components["schemas"]["ContactCreateStatus"];
            /** @description ids of the lists that the contact is on */
            lists?: string[];
        };
        /** @description custom fields; available as template variables in campaigns */
        ContactCreateAttributes: {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ContactCreateStatus: "subscribed" | "unsubscribed";
        ContactExportFilter: {
            /** @description only this address */
            email?: string;
            /** @description `lst_…` */
            list_id?: string;
            tag?: string;
            status?: components["schemas"]["ContactExportFilterStatus"];
        };
        /** @enum {string} */
        ContactExportFilterStatus: "subscribed" | "unsubscribed";
        ContactExportRequest: {
            /** @constant */
            kind: "contacts";
            filter?: components["schemas"]["ContactExportFilter"];
        };
        /** @description A named set of contacts */
        ContactList: {
            id: string;
            name: string;
            contacts_count: number;
            /** Format: date-time */
            created_at: string;
        };
        ContactListPage: {
            items: components["schemas"]["ContactList"][];
            next_cursor: string | null;
        };
        ContactPage: {
            items: components["schemas"]["Contact"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        ContactStatus: "subscribed" | "unsubscribed";
        CreateAlertRuleRequest: {
            kind: components["schemas"]["AlertKind"];
            /** @description only for kinds about domains; null: every domain that has no rule of this kind for itself */
            domain_id?: string | null;
            /** @description in the unit of the kind (docs/alerts.md) */
            threshold: number;
            /** @default true */
            enabled: boolean;
            /**
             * @description the owners get mail
             * @default true
             */
            mail: boolean;
            /**
             * @description the chat of the alert settings is told
             * @default true
             */
            chat: boolean;
        };
        CreateDomainRequest: {
            /** Format: idn-hostname */
            name: string;
        };
        CreateListRequest: {
            name: string;
        };
        CreateMailboxRequest: {
            address: string;
            /** @default null */
            name: string | null;
        };
        CreateTemplateRequest: {
            name: string;
            subject: string;
            /** @default null */
            html: string | null;
            /** @default null */
            text: string | null;
            /** @default [] */
            variables: components["schemas"]["CreateTemplateRequestVariable"][];
            test_data?: components["schemas"]["CreateTemplateRequestTestData"];
        };
        /** @description values that previews in the dashboard use, at most 64 KiB as JSON; mail never does */
        CreateTemplateRequestTestData: {
            [key: string]: unknown;
        };
        CreateTemplateRequestVariable: {
            name: string;
            /** @default false */
            required: boolean;
            /** @default null */
            default: string | number | boolean | null;
        };
        CreateWebhookRequest: {
            /**
             * Format: uri
             * @description https, without credentials, at a public address
             */
            url: string;
            /** @description types of events, or `["*"]` for all of them, later ones too */
            event_types: components["schemas"]["WebhookEventType"][];
            /** @default null */
            description: string | null;
            /** @description only events of these domains (`dom_…`), and those that belong to no domain; null: all */
            domain_ids?: string[] | null;
            format?: components["schemas"]["CreateWebhookRequestFormat"];
        };
        /**
         * @description the shape of bodies
         * @default standard
         * @enum {string}
         */
        CreateWebhookRequestFormat: "standard" | "sendgrid";
        /** @description One decision about a message */
        Decision: {
            /** Format: date-time */
            at: string;
            /** @description what was decided by: `accepted`, `warmup_cap`, `retry`, …; later versions may have more */
            rule: string;
            inputs: components["schemas"]["DecisionInputs"];
            outcome: components["schemas"]["DecisionOutcome"];
            /** @description what happens next, as a sentence */
            next_step: string;
            /** @description the page of the documentation that describes the rule */
            docs: string;
        };
        /** @description the numbers of that moment. `times` and `since` when it was decided several times in a row, `left_out` when so many decisions right after it are not kept */
        DecisionInputs: {
            [key: string]: unknown;
        };
        DecisionOutcome: {
            state: components["schemas"]["DecisionOutcomeState"];
            /** @description when something is done about it next; null when it has ended, or waits for somebody */
            until: string | null;
            /** @description the decision as a sentence */
            text: string;
        };
        /** @enum {string} */
        DecisionOutcomeState: "queued" | "sending" | "delivered" | "deferred" | "bounced" | "expired" | "dropped" | "cancelled";
        /** @description What was deleted */
        Deleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description A record to publish, and the result of the last DNS check */
        DnsRecord: {
            purpose: components["schemas"]["DnsRecordPurpose"];
            type: components["schemas"]["DnsRecordType"];
            /** @description the full name; leave out the domain if your DNS provider appends it */
            name: string;
            value: string;
            /** @description for an MX record */
            priority: number | null;
            /** @description required for verification */
            required: boolean;
            status: components["schemas"]["DnsRecordStatus"];
            /** @description the problem and the next step */
            problem: string | null;
        };
        /** @enum {string} */
        DnsRecordPurpose: "dkim" | "return_path" | "spf" | "dmarc" | "mx" | "tracking" | "tls_rpt";
        /** @enum {string} */
        DnsRecordStatus: "pending" | "found" | "missing" | "wrong";
        /** @enum {string} */
        DnsRecordType: "TXT" | "MX" | "CNAME";
        /** @description A sending domain, its records and its warm-up */
        Domain: {
            id: string;
            name: string;
            status: components["schemas"]["DomainStatus"];
            /** @description why verification failed, when it is not because of a single record */
            problem: string | null;
            dkim: components["schemas"]["DomainDkim"] | null;
            records: components["schemas"]["DnsRecord"][];
            warmup: components["schemas"]["DomainWarmup"];
            brake: components["schemas"]["DomainBrake"];
            tracking_host: components["schemas"]["DomainTrackingHost"];
            brake_enabled: boolean;
            /** @description whether campaign mail above 5,000 a day waits while the domain has no DMARC record */
            sender_rules_enabled: boolean;
            /** @description the pool of addresses that its mail leaves from; null for the one of the service */
            pool: string | null;
            inbound_enabled: boolean;
            spam_policy: components["schemas"]["DomainSpamPolicy"];
            /** @description whether its mail names `complaint_address` in a `CFBL-Address` field (RFC 9477) */
            cfbl_enabled: boolean;
            /** @description percent of the daily cap reserved for transactional mail */
            transactional_reserve: number;
            complaint_address: string;
            /** @description where receivers send DMARC aggregate reports (`rua`) */
            dmarc_address: string;
            /** @description where senders report about TLS (RFC 8460) */
            tls_report_address: string;
            /** Format: date-time */
            created_at: string;
            verified_at: string | null;
            /** @description time of the last DNS check */
            checked_at: string | null;
        };
        /** @description The same-day brake: docs/deliverability.md */
        DomainBrake: {
            state: components["schemas"]["DomainBrakeState"];
            since: string | null;
            /** @description what happened, what waits and until when */
            reason: string | null;
            /** @description the outcomes of the day at the moment of the decision */
            numbers: components["schemas"]["DomainBrakeNumbers"] | null;
        };
        DomainBrakeNumbers: {
            measure: components["schemas"]["DomainBrakeNumbersMeasure"];
            transactional_only: boolean;
            attempted: number;
            delivered: number;
            bounced: number;
            /** @description of the bounces: the recipient does not exist */
            unknown: number;
            /** @description refused by policy or reputation */
            blocked: number;
            complained: number;
        };
        /** @enum {string} */
        DomainBrakeNumbersMeasure: "bounces" | "blocks" | "complaints";
        /**
         * @description bulk: campaign mail waits; all: transactional mail too, but for one message a minute. Ends at the next 00:00 UTC
         * @enum {string}
         */
        DomainBrakeState: "off" | "bulk" | "all";
        DomainDkim: {
            selector: string;
            algorithm: components["schemas"]["DomainDkimAlgorithm"];
            status: components["schemas"]["DomainDkimStatus"];
        };
        /** @enum {string} */
        DomainDkimAlgorithm: "rsa-sha256" | "ed25519-sha256";
        /** @enum {string} */
        DomainDkimStatus: "pending" | "found" | "missing" | "wrong";
        DomainPage: {
            items: components["schemas"]["Domain"][];
            next_cursor: string | null;
        };
        /** @description An aggregate report about a domain */
        DomainReport: {
            type: components["schemas"]["DomainReportType"];
            /** @description as it calls itself */
            reporter: string;
            report_id: string;
            /** @description domain in From of the mail that brought the report */
            sender: string;
            /** @description whether DMARC of that mail passed; if not, anybody may have written the report */
            authenticated: boolean;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description messages (dmarc), sessions (tls) */
            total: number;
            passed: number;
            failed: number;
            /** @description the largest first */
            sources: components["schemas"]["ReportSource"][];
            /** Format: date-time */
            received_at: string;
        };
        DomainReportPage: {
            items: components["schemas"]["DomainReport"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        DomainReportType: "dmarc" | "tls";
        /**
         * @description what happens to inbound spam and viruses: `keep` stores them like other mail, `mark` sets `junk`, `refuse` answers 550 or 554 to a virus or to spam that the scanner rejects, and marks other spam (docs/inbound.md)
         * @enum {string}
         */
        DomainSpamPolicy: "keep" | "mark" | "refuse";
        /** @enum {string} */
        DomainStatus: "pending" | "verified" | "failed";
        /** @description Your own name for links and pixel: docs/deliverability.md */
        DomainTrackingHost: {
            name: string;
            status: components["schemas"]["DomainTrackingHostStatus"];
            /** @description what keeps it from being live, or soon will, and the next step */
            problem: string | null;
            certificate_expires_at: string | null;
        };
        /**
         * @description off: This installation has no certificates for tracking hosts; its administrator can set that up. not_found: Its CNAME record was not found. waiting_for_certificate: Its record was found; it goes live with its certificate. live: Links, pixel and unsubscribe page of new mail are there. lost: It was live: its record is gone or its certificate has expired; new mail uses the service’s own host
         * @enum {string}
         */
        DomainTrackingHostStatus: "off" | "not_found" | "waiting_for_certificate" | "live" | "lost";
        DomainWarmup: {
            tier: number;
            cap: number;
            used: number;
            /**
             * Format: date
             * @description the UTC date of `used`
             */
            day: string;
            state: components["schemas"]["DomainWarmupState"];
            paused_reason: string | null;
        };
        /** @enum {string} */
        DomainWarmupState: "active" | "held" | "paused";
        Error: {
            /** @constant */
            ok: false;
            /** @enum {string} */
            error: "invalid_json" | "unauthorized" | "quota_exceeded" | "second_factor_required" | "second_factor_missing" | "confirmation_required" | "invalid_scope" | "forbidden" | "tenant_suspended" | "not_found" | "method_not_allowed" | "conflict" | "domain_paused" | "idempotency_conflict" | "idempotency_in_progress" | "gone" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "domain_not_verified" | "rate_limited" | "internal_error" | "unavailable";
            message: string;
            details?: {
                path: string;
                message: string;
            }[];
            request_id?: string;
        };
        /** @description An event of a message */
        Event: {
            id: string;
            type: components["schemas"]["EventType"];
            message_id: string;
            campaign_id: string | null;
            recipient: string;
            domain: string;
            /** Format: date-time */
            occurred_at: string;
            data: components["schemas"]["EventData"];
        };
        /** @description click: `url`, `user_agent`, `ip`, `machine_click`; open: `user_agent`, `ip`, `machine_open`; bounce: `kind`, `class`, `smtp_code`, `enhanced_code`, `diagnostic`, `source`; complaint: `feedback_type`, `source` */
        EventData: {
            [key: string]: unknown;
        };
        EventExportFilter: {
            types?: components["schemas"]["EventExportFilterType"][];
            /** @description `msg_…` */
            message_id?: string;
            /** Format: date-time */
            since?: string;
            /** Format: date-time */
            until?: string;
        };
        /** @enum {string} */
        EventExportFilterType: "open" | "click" | "bounce" | "complaint" | "delivered" | "deferred" | "dropped" | "unsubscribe" | "expired" | "cancelled";
        EventExportRequest: {
            /** @constant */
            kind: "events";
            filter?: components["schemas"]["EventExportFilter"];
        };
        EventPage: {
            items: components["schemas"]["Event"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        EventType: "open" | "click" | "bounce" | "complaint" | "delivered" | "deferred" | "dropped" | "unsubscribe" | "expired" | "cancelled";
        ExplainMessageResult: {
            decisions: components["schemas"]["Decision"][];
            /** @description the same in plain sentences, without caps and tiers, to forward to who asks; replies of servers in it are foreign text */
            answer: string;
        };
        /** @description A list as a CSV file */
        Export: {
            id: string;
            kind: components["schemas"]["ExportKind"];
            status: components["schemas"]["ExportStatus"];
            /** @description rows written so far */
            rows: number;
            size_bytes: number;
            /** @description the list has more rows than a file holds */
            is_cut: boolean;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            /** @description when the file is removed */
            expires_at: string | null;
        };
        /** @enum {string} */
        ExportKind: "messages" | "contacts" | "suppressions" | "events" | "audit_log";
        ExportRequest: components["schemas"]["MessageExportRequest"] | components["schemas"]["ContactExportRequest"] | components["schemas"]["SuppressionExportRequest"] | components["schemas"]["EventExportRequest"] | components["schemas"]["AuditLogExportRequest"];
        /** @enum {string} */
        ExportStatus: "pending" | "running" | "completed" | "failed";
        FailedRecipient: {
            contact_id: string;
            email: string | null;
            error: string;
        };
        FailedRecipientPage: {
            items: components["schemas"]["FailedRecipient"][];
            next_cursor: string | null;
        };
        /** @description A bulk import of contacts */
        Import: {
            id: string;
            status: components["schemas"]["ImportStatus"];
            /** @description rows read so far */
            total: number;
            created: number;
            updated: number;
            skipped: number;
            failed: number;
            errors: components["schemas"]["ImportError"][];
            list_id: string | null;
            /** @description processed part of the file, 0 to 1 */
            progress: number;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
        };
        ImportError: {
            row: number;
            email: string;
            message: string;
        };
        /** @description The columns and first rows of a CSV file */
        ImportPreview: {
            columns: components["schemas"]["ImportPreviewColumn"][];
            rows: string[][];
        };
        ImportPreviewColumn: {
            name: string;
            target: string;
        };
        ImportRequest: {
            contacts: components["schemas"]["ImportRequestContact"][];
            /** @description `lst_…` */
            list_id?: string;
            update_existing?: boolean;
        };
        ImportRequestContact: {
            /** Format: idn-email */
            email: string;
            first_name?: string | null;
            last_name?: string | null;
            attributes?: components["schemas"]["ImportRequestContactAttributes"];
            tags?: string[];
            status?: components["schemas"]["ImportRequestContactStatus"];
        };
        /** @description custom fields; available as template variables in campaigns */
        ImportRequestContactAttributes: {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ImportRequestContactStatus: "subscribed" | "unsubscribed";
        /**
         * @description `failed`: the file could not be read to its end, or every row failed
         * @enum {string}
         */
        ImportStatus: "pending" | "running" | "completed" | "failed";
        /** @description A bulk import without the errors of its rows */
        ImportSummary: {
            id: string;
            status: components["schemas"]["ImportSummaryStatus"];
            /** @description rows read so far */
            total: number;
            created: number;
            updated: number;
            skipped: number;
            failed: number;
            list_id: string | null;
            /** @description processed part of the file, 0 to 1 */
            progress: number;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
        };
        ImportSummaryPage: {
            items: components["schemas"]["ImportSummary"][];
            next_cursor: string | null;
        };
        /**
         * @description `failed`: the file could not be read to its end, or every row failed
         * @enum {string}
         */
        ImportSummaryStatus: "pending" | "running" | "completed" | "failed";
        /** @description An inbound message */
        InboundMessage: {
            id: string;
            /** @description null when no mailbox matches the recipient */
            mailbox_id: string | null;
            /** @description MAIL FROM; empty for the null sender */
            envelope_from: string;
            /** @description RCPT TO */
            recipient: string;
            from: string | null;
            to: string[];
            cc: string[];
            subject: string | null;
            date: string | null;
            attachments: components["schemas"]["InboundMessageAttachment"][];
            auth: components["schemas"]["InboundMessageAuth"];
            /** @description sent automatically (RFC 3834): do not reply automatically */
            auto_submitted: boolean;
            /** @description why it could not be parsed, or that it has several From; the raw message is complete */
            parse_error: string | null;
            read: boolean;
            /** @description spam or a virus, at a domain whose `spam_policy` is `mark` or `refuse` */
            junk: boolean;
            scan: components["schemas"]["InboundScan"];
            size_bytes: number;
            /** Format: date-time */
            received_at: string;
            text: string | null;
            /** @description unchanged and untrusted */
            html: string | null;
            headers: components["schemas"]["InboundMessageHeader"][];
        };
        InboundMessageAttachment: {
            index: number;
            filename: string | null;
            content_type: string;
            size_bytes: number;
        };
        /** @description recorded, never enforced */
        InboundMessageAuth: {
            /** @description `pass`, `fail`, `none`, … */
            spf: string;
            /** @description `pass`, `fail`, `none`, … */
            dkim: string;
            /** @description `pass`, `fail`, `none`, … */
            dmarc: string;
            /** @description the seals of servers that passed the message on (RFC 8617), where there are any: `pass` can explain why DMARC fails */
            arc?: string;
        };
        InboundMessageHeader: {
            name: string;
            value: string;
        };
        /** @description What the scanner (rspamd) said of an inbound message */
        InboundScan: {
            verdict: components["schemas"]["InboundScanVerdict"];
            /** @description why it was not scanned; null when it was */
            reason: components["schemas"]["InboundScanReason"] | null;
            score: number | null;
            /** @description the score from which the scanner rejects */
            required_score: number | null;
            /** @description what rspamd advises: `no action`, `add header`, `reject` … */
            action: string | null;
            /** @description the name of the virus */
            virus: string | null;
            /** @description the ten rules that matched with the largest scores */
            symbols: components["schemas"]["InboundScanSymbol"][];
        };
        /** @enum {string} */
        InboundScanReason: "off" | "timeout" | "unreachable" | "error" | "bad_answer" | "skipped" | "paused";
        InboundScanSymbol: {
            name: string;
            score: number;
        };
        /** @enum {string} */
        InboundScanVerdict: "clean" | "spam" | "virus" | "not_scanned";
        /** @description An inbound message without its bodies */
        InboundSummary: {
            id: string;
            /** @description null when no mailbox matches the recipient */
            mailbox_id: string | null;
            /** @description MAIL FROM; empty for the null sender */
            envelope_from: string;
            /** @description RCPT TO */
            recipient: string;
            from: string | null;
            to: string[];
            cc: string[];
            subject: string | null;
            date: string | null;
            attachments: components["schemas"]["InboundSummaryAttachment"][];
            auth: components["schemas"]["InboundSummaryAuth"];
            /** @description sent automatically (RFC 3834): do not reply automatically */
            auto_submitted: boolean;
            /** @description why it could not be parsed, or that it has several From; the raw message is complete */
            parse_error: string | null;
            read: boolean;
            /** @description spam or a virus, at a domain whose `spam_policy` is `mark` or `refuse` */
            junk: boolean;
            scan: components["schemas"]["InboundScan"];
            size_bytes: number;
            /** Format: date-time */
            received_at: string;
        };
        InboundSummaryAttachment: {
            index: number;
            filename: string | null;
            content_type: string;
            size_bytes: number;
        };
        /** @description recorded, never enforced */
        InboundSummaryAuth: {
            /** @description `pass`, `fail`, `none`, … */
            spf: string;
            /** @description `pass`, `fail`, `none`, … */
            dkim: string;
            /** @description `pass`, `fail`, `none`, … */
            dmarc: string;
            /** @description the seals of servers that passed the message on (RFC 8617), where there are any: `pass` can explain why DMARC fails */
            arc?: string;
        };
        InboundSummaryPage: {
            items: components["schemas"]["InboundSummary"][];
            next_cursor: string | null;
        };
        /** @description The endpoint that receives inbound mail */
        InboundWebhook: {
            webhook_url: string | null;
            enabled: boolean;
            created_at: string | null;
            rotated_at: string | null;
        };
        LaunchCampaignRequest: {
            /** Format: date-time */
            scheduled_at?: string;
            /** @description starts so many seconds from now; until then `undo-launch` makes it a draft again */
            delay_seconds?: number;
            /** @description refuses with 409 when the campaign has another version by now: somebody else changed it */
            version?: number;
        };
        ListProvidersResult: {
            items: components["schemas"]["ProviderFigures"][];
        };
        /** @description An address whose mail is grouped */
        Mailbox: {
            id: string;
            /** @description an address, or `*@domain` for all addresses without their own mailbox */
            address: string;
            name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        MailboxPage: {
            items: components["schemas"]["Mailbox"][];
            next_cursor: string | null;
        };
        /** @description A message, its attempts and its events in order */
        Message: {
            id: string;
            from: string;
            /** @description the recipient of this message */
            to: string;
            subject: string;
            status: components["schemas"]["MessageStatus"];
            /** @description the reason in the answer to the submission */
            reason: string | null;
            /** @description why the message waits */
            defer_reason: string | null;
            /** @description the next time at which the message is tried */
            deferred_until: string | null;
            domain: string;
            campaign_id: string | null;
            template_id: string | null;
            tags: components["schemas"]["MessageTag"][];
            /** Format: date-time */
            created_at: string;
            /** @description when the message is expected to be delivered, by the forecast of its domain; null when it does not wait, or nobody can say */
            expected_at: string | null;
            /** @description whom the header To names: with one recipient, `to` */
            header_to: string[];
            cc: string[];
            bcc: string[];
            /** @description only with several recipients: each of them in the order of to, cc, bcc */
            recipients?: components["schemas"]["MessageRecipient"][];
            attempts: components["schemas"]["MessageAttempt"][];
            events: components["schemas"]["MessageEvent"][];
        };
        MessageAttempt: {
            /** Format: date-time */
            at: string;
            mx: string | null;
            /** @description the address that it left from, one of a pool; null for the system’s own */
            source: components["schemas"]["MessageAttemptSource"] | null;
            /** @description TLS version and cipher, as in `TLSv1.3 TLS_AES_256_GCM_SHA384`; null for plain text */
            tls: string | null;
            /** @description whether the certificate proved the server: signed by a trusted authority for its name; null for plain text */
            tls_verified: boolean | null;
            /** @description the policy of the recipient’s domain that was enforced; null without one */
            tls_policy: components["schemas"]["MessageAttemptTlsPolicy"] | null;
            /** @description what the server showed; null for plain text */
            certificate: components["schemas"]["MessageAttemptCertificate"] | null;
            smtp_code: number | null;
            enhanced_code: string | null;
            reply: string;
        };
        MessageAttemptCertificate: {
            subject: string;
            issuer: string;
            /** Format: date-time */
            expires_at: string;
            /** @description SHA-256, as in `AB:CD:…` */
            fingerprint: string;
        };
        MessageAttemptSource: {
            address: string;
            /** @description its name in EHLO */
            hostname: string;
        };
        /** @enum {string} */
        MessageAttemptTlsPolicy: "dane" | "mta_sts";
        /** @description What can be changed of a message that is scheduled */
        MessageChange: {
            /** Format: date-time */
            scheduled_at: string;
        };
        /** @description What a message says */
        MessageContent: {
            subject: string;
            /** @description without the open pixel, with the links as written */
            html: string | null;
            text: string | null;
            headers: components["schemas"]["MessageContentHeader"][];
            attachments: components["schemas"]["MessageContentAttachment"][];
        };
        MessageContentAttachment: {
            filename: string;
            content_type: string;
            size_bytes: number;
        };
        MessageContentHeader: {
            name: string;
            value: string;
        };
        MessageEvent: {
            type: string;
            /** Format: date-time */
            occurred_at: string;
            data: components["schemas"]["MessageEventData"];
        };
        MessageEventData: {
            [key: string]: unknown;
        };
        MessageExportFilter: {
            /** @description the recipient’s address or a part of it, at least 3 characters; letter case plays no role */
            to?: string;
            /** @description words that are all in the subject, whole and in any order; letter case plays no role */
            q?: string;
            status?: components["schemas"]["MessageExportFilterStatus"];
            /** @description `name`: has such a tag; `name=value`: with this value */
            tag?: string;
            /** @description name of the sending domain */
            domain?: string;
            /** @description `cmp_…` */
            campaign_id?: string;
            /**
             * Format: date-time
             * @description created from this time on
             */
            since?: string;
            /**
             * Format: date-time
             * @description created before this time
             */
            until?: string;
        };
        /** @enum {string} */
        MessageExportFilterStatus: "queued" | "sending" | "delivered" | "deferred" | "bounced" | "expired" | "dropped" | "cancelled";
        MessageExportRequest: {
            /** @constant */
            kind: "messages";
            filter?: components["schemas"]["MessageExportFilter"];
        };
        MessageRecipient: {
            email: string;
            /** @description of the message to this recipient */
            id: string;
            status: components["schemas"]["MessageRecipientStatus"];
            reason: string | null;
            deferred_until: string | null;
        };
        /** @enum {string} */
        MessageRecipientStatus: "queued" | "sending" | "delivered" | "deferred" | "bounced" | "expired" | "dropped" | "cancelled";
        /** @description What is kept of messages */
        MessageSettings: {
            keep_content: boolean;
        };
        /** @enum {string} */
        MessageStatus: "queued" | "sending" | "delivered" | "deferred" | "bounced" | "expired" | "dropped" | "cancelled";
        /** @description A message */
        MessageSummary: {
            id: string;
            from: string;
            to: string;
            subject: string;
            status: components["schemas"]["MessageSummaryStatus"];
            /** @description the reason in the answer to the submission */
            reason: string | null;
            /** @description why the message waits */
            defer_reason: string | null;
            /** @description the next time at which the message is tried */
            deferred_until: string | null;
            domain: string;
            campaign_id: string | null;
            template_id: string | null;
            tags: components["schemas"]["MessageSummaryTag"][];
            /** Format: date-time */
            created_at: string;
        };
        MessageSummaryPage: {
            items: components["schemas"]["MessageSummary"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        MessageSummaryStatus: "queued" | "sending" | "delivered" | "deferred" | "bounced" | "expired" | "dropped" | "cancelled";
        MessageSummaryTag: {
            name: string;
            value: string;
        };
        MessageTag: {
            name: string;
            value: string;
        };
        /** @description A domain against the rules of mailbox providers */
        Preflight: {
            /** @description whether no check fails */
            ok: boolean;
            /** @description campaign messages that the domain may send today */
            bulk_allowed_per_day: number;
            checks: components["schemas"]["PreflightCheck"][];
        };
        /** @description One sender rule */
        PreflightCheck: {
            id: components["schemas"]["PreflightCheckId"];
            status: components["schemas"]["PreflightCheckStatus"];
            found: string;
            expected: string;
            /** @description what to do; null: nothing */
            fix: string | null;
            /** @description where the documentation says why */
            docs: string;
        };
        /** @enum {string} */
        PreflightCheckId: "spf" | "dkim" | "dmarc" | "alignment" | "return_path" | "one_click" | "reverse_dns" | "tls" | "tracking_host" | "free_mail" | "visible_unsubscribe" | "variables" | "size" | "links" | "audience";
        /**
         * @description pass: As it should be; warn: It may do harm, or could not be found out; fail: Mailbox providers refuse such mail or call it spam
         * @enum {string}
         */
        PreflightCheckStatus: "pass" | "warn" | "fail";
        PreviewTemplateRequest: {
            variables?: components["schemas"]["PreviewTemplateRequestVariables"];
        };
        /** @default {} */
        PreviewTemplateRequestVariables: {
            [key: string]: unknown;
        };
        PreviewTemplateResult: {
            subject: string;
            html: string;
            text: string;
        };
        /** @description Mail to one mailbox provider over 30 UTC days */
        ProviderFigures: {
            /** @description such as gmail; the recipient’s domain counts as the one that its MX leads to */
            provider: string;
            /** @description messages with their first attempt in the window */
            sent: number;
            delivered: number;
            /** @description attempts after which the provider asked to retry */
            deferred: number;
            bounced: number;
            complained: number;
            limits: components["schemas"]["ProviderFiguresLimits"];
            /** @description the most frequent refusals, without addresses, ids and links; `other` are those beyond the 20 of a day */
            top_replies: components["schemas"]["ProviderFiguresTopReplie"][];
        };
        /** @description of this service for all of its customers together */
        ProviderFiguresLimits: {
            /** @description most SMTP connections at a time */
            connections: number;
            /** @description most messages a minute */
            per_minute: number;
            /** @description the reply that lowered them last, or asked for a pause; null at the values with which we begin */
            learned_from: string | null;
            /** @description until when the provider wants no mail from us; null while it takes mail */
            suspended_until: string | null;
        };
        ProviderFiguresTopReplie: {
            reply: string;
            count: number;
        };
        RemoveSuppressionResult: {
            id: string;
            email: string;
            /** @constant */
            deleted: true;
        };
        ReplayWebhookDeliveryResult: {
            id: string;
            /** @constant */
            replayed: true;
        };
        ReplayWebhookRequest: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until?: string;
            status?: components["schemas"]["ReplayWebhookRequestStatus"];
        };
        /**
         * @description only deliveries of this status; otherwise all that were attempted
         * @enum {string}
         */
        ReplayWebhookRequestStatus: "succeeded" | "failed" | "dead";
        ReplayWebhookResult: {
            id: string;
            /** @constant */
            replaying: true;
        };
        /** @description Messages or sessions of one source with one result */
        ReportSource: {
            /** @description IP address that sent; null: the report does not say, or all sources beyond the 99 largest */
            source: string | null;
            /** @description messages (dmarc), failed sessions (tls) */
            count: number;
            /** @description dmarc: pass, fail; tls: the result type (RFC 8460); null: all sources beyond the largest */
            result: string | null;
            /** @description dmarc: whether DKIM passed for a domain aligned with From */
            dkim: components["schemas"]["ReportSourceDkim"] | null;
            /** @description the same of SPF */
            spf: components["schemas"]["ReportSourceSpf"] | null;
            /** @description dmarc: what the receiver did: none, quarantine, reject */
            disposition: string | null;
            /** @description dmarc: domain in From */
            header_from: string | null;
            /** @description dmarc: what passed and failed, for which domains */
            auth: string | null;
            /** @description dmarc: why the policy was not applied; tls: reason code of the failure */
            reason: string | null;
            /** @description tls: mail server of the domain */
            receiving_mx: string | null;
        };
        /** @enum {string} */
        ReportSourceDkim: "pass" | "fail";
        /** @enum {string} */
        ReportSourceSpf: "pass" | "fail";
        /** @description Statistics of a domain’s mail over 30 days, and its trust score */
        Reputation: {
            domain: string;
            trust_score: number;
            /** @description the parts that add up to the score */
            parts: components["schemas"]["ReputationPart"][];
            /** @constant */
            window_days: 30;
            metrics: components["schemas"]["ReputationMetrics"];
            warmup: components["schemas"]["ReputationWarmup"];
            /** @description one entry per UTC day, oldest first, today last */
            daily: components["schemas"]["ReputationDailyItem"][];
        };
        ReputationDailyItem: {
            /** Format: date */
            date: string;
            /** @description messages with their first attempt in this period */
            sent: number;
            delivered: number;
            bounced: number;
            hard_bounced: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            /** @description opens by scanners and prefetchers, not counted in rates */
            machine_opened: number;
            machine_clicked: number;
            unsubscribed: number;
            delivery_rate: number;
            bounce_rate: number;
            /** @description of delivered messages */
            complaint_rate: number;
            open_rate: number;
            click_rate: number;
        };
        ReputationMetrics: {
            /** @description messages with their first attempt in this period */
            sent: number;
            delivered: number;
            bounced: number;
            hard_bounced: number;
            complained: number;
            /** @description messages that a person opened */
            opened: number;
            /** @description messages in which a person clicked a link */
            clicked: number;
            /** @description opens by scanners and prefetchers, not counted in rates */
            machine_opened: number;
            machine_clicked: number;
            unsubscribed: number;
            delivery_rate: number;
            bounce_rate: number;
            /** @description of delivered messages */
            complaint_rate: number;
            open_rate: number;
            click_rate: number;
        };
        ReputationPage: {
            items: components["schemas"]["Reputation"][];
            next_cursor: string | null;
        };
        ReputationPart: {
            part: components["schemas"]["ReputationPartPart"];
            points: number;
            max_points: number;
            /** @description the evaluated rate, days, tier or share */
            value: number;
            /** @description how to raise it; null at full points */
            advice: string | null;
        };
        /** @enum {string} */
        ReputationPartPart: "complaints" | "bounces" | "delivery" | "authentication" | "age" | "tier" | "engagement";
        ReputationWarmup: {
            tier: number;
            cap: number;
        };
        ResendMessageRequest: {
            /** @description instead of its recipient: `address` or `Name <address>`, to look at it there */
            to?: string;
        };
        RestoreTemplateVersionRequest: {
            /** @description refuse the change with 409 when the template is at another version: somebody else saved meanwhile */
            expected_version?: number;
        };
        RetryFailedRecipientsResult: {
            retried: number;
            campaign: components["schemas"]["Campaign"];
        };
        /** @description The decision on the message under the warm-up cap */
        SendAnswer: {
            id: string;
            status: components["schemas"]["SendAnswerStatus"];
            reason: components["schemas"]["SendAnswerReason"] | null;
            deferred_until: string | null;
            domain: string;
            warmup: components["schemas"]["SendAnswerWarmup"];
            /** @description only with several recipients: each of them in the order of to, cc, bcc; the fields beside it are those of the first */
            recipients?: components["schemas"]["SendAnswerRecipient"][];
        };
        /** @enum {string} */
        SendAnswerReason: "warmup_cap" | "suppressed" | "scheduled" | "esp_cap" | "brake" | "sender_rules";
        SendAnswerRecipient: {
            email: string;
            /** @description of the message to this recipient */
            id: string;
            status: components["schemas"]["SendAnswerRecipientStatus"];
            reason: string | null;
            deferred_until: string | null;
        };
        /** @enum {string} */
        SendAnswerRecipientStatus: "queued" | "deferred" | "dropped";
        /** @enum {string} */
        SendAnswerStatus: "queued" | "deferred" | "dropped";
        SendAnswerWarmup: {
            tier: number;
            cap: number;
            used: number;
        };
        SendBatchRequest: {
            messages: components["schemas"]["SendRequest"][];
        };
        SendBatchResult: {
            items: (components["schemas"]["SendAnswer"] | components["schemas"]["BatchItemError"])[];
        };
        SendCampaignTestRequest: {
            /** @description who gets the test */
            to: string;
            /**
             * Format: idn-email
             * @description the contact to render it for; default: the first of the audience
             */
            contact_email?: string;
        };
        SendCampaignTestResult: {
            message_id: string;
            status: components["schemas"]["SendCampaignTestResultStatus"];
        };
        /** @enum {string} */
        SendCampaignTestResultStatus: "queued" | "deferred" | "dropped";
        /** @description One message to one recipient or several */
        SendRequest: {
            /** @description `address` or `Name <address>` */
            from?: string;
            /** @description one address or a list, each `address` or `Name <address>`; at most 50 in `to`, `cc` and `bcc` together */
            to: string | string[];
            /** @description one address or a list, each `address` or `Name <address>`; at most 50 in `to`, `cc` and `bcc` together */
            cc?: string | string[];
            /** @description one address or a list, each `address` or `Name <address>`; at most 50 in `to`, `cc` and `bcc` together */
            bcc?: string | string[];
            /** @description with `template_id`: replaces the subject of the template, unless it is empty */
            subject?: string;
            html?: string;
            text?: string;
            /** @description a whole message (RFC 5322, line ends CR LF) in place of `subject`, `html`, `text`, `attachments` and all other content; it is sent as it is. It goes to `to`, `cc` and `bcc`, whatever its header says, and `from` follows from its header. Opens and clicks are tracked only where `track_opens` or `track_clicks` is true */
            raw?: string;
            /** @description `tpl_…` */
            template_id?: string;
            variables?: components["schemas"]["SendRequestVariables"];
            /** @description where replies go: one address or a list of at most 10, each `address` or `Name <address>` */
            reply_to?: string | string[];
            /** @description custom header fields; not those of the envelope, MIME, DKIM or tracking. `Sender` must be one address at a verified domain of yours. `List-Unsubscribe` (`<https://…>` or `<mailto:…>`, several separated by commas) and, with an https one, `List-Unsubscribe-Post: List-Unsubscribe=One-Click` are your own way to unsubscribe, in place of `unsubscribe` */
            headers?: components["schemas"]["SendRequestHeaders"] | components["schemas"]["SendRequestHeader"][];
            tags?: components["schemas"]["SendRequestTag"][];
            attachments?: components["schemas"]["SendRequestAttachment"][];
            /**
             * Format: date-time
             * @description when to send: at most 30 days ahead, and no more than a minute in the past
             */
            scheduled_at?: string;
            track_opens?: boolean;
            track_clicks?: boolean;
            /** @description true: our signed List-Unsubscribe pair for one-click unsubscribing (RFC 8058), and the link in place of `{{ unsubscribe_url }}` in the content; who follows it is suppressed for marketing mail (`stream`: `bulk`) */
            unsubscribe?: boolean;
            esp?: string;
        };
        SendRequestAttachment: {
            filename: string;
            content: string;
            /** @description with its parameters, which are kept; without it the type follows from `filename` */
            content_type?: string;
            content_id?: string;
            /** @description true, for one attachment of `text/calendar`: an invitation that calendars open, beside text and html in multipart/alternative (RFC 6047), in place of a file */
            alternative?: boolean;
        };
        SendRequestHeader: {
            name: string;
            value: string;
        };
        SendRequestHeaders: {
            [key: string]: string;
        };
        SendRequestTag: {
            name: string;
            value: string;
        };
        /** @description values of the template’s variables */
        SendRequestVariables: {
            [key: string]: unknown;
        };
        /** @description One address of the suppression list */
        Suppression: {
            email: string;
            reason: components["schemas"]["SuppressionReason"];
            stream: components["schemas"]["SuppressionStream"];
            /** @description the message that led to it */
            source_message_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        SuppressionExportFilter: {
            /** @description only this address */
            email?: string;
            reason?: components["schemas"]["SuppressionExportFilterReason"];
            /** Format: date-time */
            since?: string;
            /** Format: date-time */
            until?: string;
        };
        /** @enum {string} */
        SuppressionExportFilterReason: "bounce" | "complaint" | "unsubscribe" | "manual";
        SuppressionExportRequest: {
            /** @constant */
            kind: "suppressions";
            filter?: components["schemas"]["SuppressionExportFilter"];
        };
        SuppressionPage: {
            items: components["schemas"]["Suppression"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        SuppressionReason: "bounce" | "complaint" | "unsubscribe" | "manual";
        /**
         * @description `all`: no mail is sent to the address. `bulk`: campaigns and messages with an unsubscribe link or a List-Unsubscribe header are not sent; all other mail is
         * @enum {string}
         */
        SuppressionStream: "all" | "bulk";
        /** @description A template at its current version */
        Template: {
            id: string;
            name: string;
            subject: string;
            html: string | null;
            text: string | null;
            variables: components["schemas"]["TemplateVariable"][];
            test_data: components["schemas"]["TemplateTestData"];
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TemplatePage: {
            items: components["schemas"]["Template"][];
            next_cursor: string | null;
        };
        /** @description values that previews in the dashboard use; mail never does */
        TemplateTestData: {
            [key: string]: unknown;
        };
        TemplateVariable: {
            name: string;
            required: boolean;
            default: unknown;
        };
        /** @description One version in the history of a template */
        TemplateVersion: {
            version: number;
            subject: string;
            /** Format: date-time */
            created_at: string;
            /** @description an email address, or the id of an API key; null for versions from before this was kept */
            created_by: string | null;
            /** @description the version whose content this is again */
            restored_from: number | null;
        };
        /** @description What a template says at one version */
        TemplateVersionContent: {
            version: number;
            subject: string;
            /** Format: date-time */
            created_at: string;
            /** @description an email address, or the id of an API key; null for versions from before this was kept */
            created_by: string | null;
            /** @description the version whose content this is again */
            restored_from: number | null;
            html: string | null;
            text: string | null;
            variables: components["schemas"]["TemplateVersionContentVariable"][];
        };
        TemplateVersionContentVariable: {
            name: string;
            required: boolean;
            default: unknown;
        };
        TemplateVersionPage: {
            items: components["schemas"]["TemplateVersion"][];
            next_cursor: string | null;
        };
        TestAlertChatResult: {
            passed: boolean;
            status_code: number | null;
            duration_ms: number;
            error: string | null;
        };
        TestInboundWebhookResult: {
            passed: boolean;
            status_code: number | null;
            duration_ms: number;
            error: string | null;
        };
        TestWebhookRequest: {
            event_type: components["schemas"]["TestWebhookRequestEventType"];
        };
        /** @enum {string} */
        TestWebhookRequestEventType: "message.accepted" | "message.deferred" | "message.delivered" | "message.bounced" | "message.complained" | "message.opened" | "message.clicked" | "message.unsubscribed" | "message.dropped" | "message.expired" | "message.cancelled" | "domain.verified" | "domain.failed" | "domain.paused" | "domain.resumed" | "domain.tier_changed" | "domain.braked" | "domain.brake_released" | "campaign.sent" | "contact.unsubscribed" | "alert.opened" | "alert.resolved" | "inbound.received";
        TestWebhookResult: {
            passed: boolean;
            status_code: number | null;
            duration_ms: number;
            error: string | null;
        };
        /** @description An endpoint that is told what happens */
        Webhook: {
            id: string;
            url: string;
            event_types: string[];
            description: string | null;
            domain_ids: string[] | null;
            format: string;
            enabled: boolean;
            /** @description why it was turned off by itself: `gone` after an answer of 410, `failing` after five days */
            disabled_reason: string | null;
            /** @description the first failure since the last success */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            rotated_at: string | null;
        };
        /** @description One event on its way to one webhook */
        WebhookDelivery: {
            id: string;
            /** @description what `webhook-id` says, at every attempt and after a replay too */
            event_id: string;
            event_type: string;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /** Format: date-time */
            created_at: string;
            attempts: components["schemas"]["WebhookDeliveryAttempt"][];
            next_attempt_at: string | null;
            /** @description the body as it was signed */
            request_body: string;
        };
        WebhookDeliveryAttempt: {
            /** Format: date-time */
            at: string;
            status_code: number | null;
            duration_ms: number | null;
            error: string | null;
            /** @description its first 4 KiB */
            response_body: string | null;
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            next_cursor: string | null;
        };
        /**
         * @description `pending`: not attempted yet; `succeeded`: answered with 2xx; `failed`: attempted again at `next_attempt_at`; `dead`: given up
         * @enum {string}
         */
        WebhookDeliveryStatus: "pending" | "succeeded" | "failed" | "dead";
        /** @enum {string} */
        WebhookEventType: "message.accepted" | "message.deferred" | "message.delivered" | "message.bounced" | "message.complained" | "message.opened" | "message.clicked" | "message.unsubscribed" | "message.dropped" | "message.expired" | "message.cancelled" | "domain.verified" | "domain.failed" | "domain.paused" | "domain.resumed" | "domain.tier_changed" | "domain.braked" | "domain.brake_released" | "campaign.sent" | "contact.unsubscribed" | "alert.opened" | "alert.resolved" | "inbound.received" | "*";
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            next_cursor: string | null;
        };
        /** @description An endpoint with its new secret */
        WebhookWithSecret: {
            id: string;
            url: string;
            event_types: string[];
            description: string | null;
            domain_ids: string[] | null;
            format: string;
            enabled: boolean;
            /** @description why it was turned off by itself: `gone` after an answer of 410, `failing` after five days */
            disabled_reason: string | null;
            /** @description the first failure since the last success */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            rotated_at: string | null;
            /** @description `whsec_` and base64; shown once */
            secret: string;
        };
        WhoamiResult: {
            tenant: components["schemas"]["WhoamiResultTenant"];
            key?: components["schemas"]["WhoamiResultKey"];
            user?: components["schemas"]["WhoamiResultUser"];
            quota: components["schemas"]["WhoamiResultQuota"];
        };
        /** @description with an API key */
        WhoamiResultKey: {
            id: string;
            name: string;
            scopes: components["schemas"]["WhoamiResultKeyScope"][];
            /** Format: date-time */
            created_at: string;
            /** @description accurate to a minute */
            last_used_at: string | null;
            /** @description from then on it is 401; null: it works until it is revoked */
            expires_at: string | null;
            /** @description addresses and CIDR blocks from which it works; empty: from everywhere */
            allowed_addresses: string[];
            /** @description the only domain that it may send from, all that it may do; null: any of yours */
            domain: string | null;
        };
        /** @enum {string} */
        WhoamiResultKeyScope: "transactional:send" | "transactional:read" | "templates:read" | "templates:write" | "campaigns:read" | "campaigns:write" | "contacts:read" | "contacts:write" | "suppressions:read" | "suppressions:write" | "events:read" | "reputation:read" | "domains:read" | "domains:write" | "mail:read" | "mail:write" | "settings:read" | "settings:write" | "webhooks:read" | "webhooks:write";
        WhoamiResultQuota: {
            used: number;
            cap: number;
            remaining: number;
            /** Format: date-time */
            resets_at: string;
        };
        WhoamiResultTenant: {
            id: string;
            name: string;
            plan: components["schemas"]["WhoamiResultTenantPlan"];
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        WhoamiResultTenantPlan: "free" | "starter" | "pro" | "scale";
        /** @description with the token of a signed-in person */
        WhoamiResultUser: {
            id: string;
            email: string;
            role: components["schemas"]["WhoamiResultUserRole"];
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        WhoamiResultUserRole: "owner" | "member" | "viewer" | "super_admin";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoamiResult"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 15 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendAnswer"];
                };
            };
        };
    };
    sendBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 15 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBatchRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendBatchResult"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                /** @description the recipient’s address or a part of it, at least 3 characters; letter case plays no role */
                to?: string;
                /** @description words that are all in the subject, whole and in any order; letter case plays no role */
                q?: string;
                status?: "queued" | "sending" | "delivered" | "deferred" | "bounced" | "expired" | "dropped" | "cancelled";
                /** @description `name`: has such a tag; `name=value`: with this value */
                tag?: string;
                /** @description name of the sending domain */
                domain?: string;
                /** @description `cmp_…` */
                campaign_id?: string;
                /** @description created from this time on */
                since?: string;
                /** @description created before this time */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSummaryPage"];
                };
            };
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    rescheduleMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getMessageContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageContent"];
                };
            };
        };
    };
    getMessageSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    getMessageAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    explainMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainMessageResult"];
                };
            };
        };
    };
    resendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResendMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendAnswer"];
                };
            };
        };
    };
    retryMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `msg_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    getMessageSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSettings"];
                };
            };
        };
    };
    changeMessageSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMessageSettingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSettings"];
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainPage"];
                };
            };
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomainRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeDomainRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    preflightDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preflight"];
                };
            };
        };
    };
    listDomainReports: {
        parameters: {
            query?: {
                type?: "dmarc" | "tls";
                /** @description whose period ends at this time or later */
                since?: string;
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainReportPage"];
                };
            };
        };
    };
    releaseDomainBrake: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    rotateDomainDkim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    cancelDomainDkimRotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dom_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `tpl_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `tpl_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `tpl_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeTemplateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `tpl_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewTemplateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewTemplateResult"];
                };
            };
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `tpl_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersionPage"];
                };
            };
        };
    };
    getTemplateVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `tpl_…` */
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersionContent"];
                };
            };
        };
    };
    restoreTemplateVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `tpl_…` */
                id: string;
                version: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreTemplateVersionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    importSuppressions: {
        parameters: {
            query?: {
                /** @description default: `manual` */
                reason?: "bounce" | "complaint" | "unsubscribe" | "manual";
                /** @description `all`: no mail is sent to the address. `bulk`: campaigns and messages with an unsubscribe link or a List-Unsubscribe header are not sent; all other mail is */
                stream?: "all" | "bulk";
            };
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 MiB, read as it comes. */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getSuppressionImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `imp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getSuppressionImportFailedRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `imp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                reason?: "bounce" | "complaint" | "unsubscribe" | "manual";
                /** @description only this address */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionPage"];
                };
            };
        };
    };
    addSuppressions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSuppressionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddSuppressionsResult"];
                };
            };
        };
    };
    removeSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the address */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveSuppressionResult"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before, with the same `order`; with `order=asc` also `newest` */
                after?: string;
                limit?: number;
                /** @description one or more of `open`, `click`, `bounce`, `complaint`, `delivered`, `deferred`, `dropped`, `unsubscribe`, `expired`, `cancelled`, with commas between them */
                types?: string;
                /** @description the same as `types` */
                type?: string;
                /** @description `desc`: newest first. `asc`: oldest first, in the order of commit, to be followed */
                order?: "asc" | "desc";
                /** @description with `order=asc`: seconds to wait for an event when there is none */
                wait?: number;
                /** @description `msg_…`; only with `order=desc` */
                message_id?: string;
                /** @description from this time. With `order=asc` where to begin, up to ten minutes earlier; ignored when there is `after` */
                since?: string;
                /** @description before this time; only with `order=desc` */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    listReputation: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                /** @description only the domain with this name */
                domain?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReputationPage"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProvidersResult"];
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description the last so many UTC days, today included; 30 when nothing is said */
                days?: number;
                /** @description instead of days: the first UTC day; needs `to` */
                from?: string;
                /** @description the last UTC day, at most 366 in all */
                to?: string;
                /** @description name of a sending domain */
                domain?: string;
                /** @description `name=value`; at most one of tag, campaign_id and provider */
                tag?: string;
                /** @description `cmp_…` */
                campaign_id?: string;
                /** @description name of a mailbox provider, such as gmail */
                provider?: string;
                /** @description adds the totals of each; with a filter by tag, campaign or provider only `domain` */
                group_by?: "domain" | "tag" | "campaign" | "provider";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                };
            };
        };
    };
    importContacts: {
        parameters: {
            query?: {
                /** @description `lst_…` */
                list_id?: string;
                update_existing?: "true" | "false";
                /** @description a JSON object: column name → a field (`email`, `first_name`, …), `attribute:NAME` or `ignore`. Columns that it leaves out are read by their names */
                mapping?: string;
            };
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 MiB, read as it comes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportRequest"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    previewImport: {
        parameters: {
            query?: {
                /** @description a JSON object: column name → a field (`email`, `first_name`, …), `attribute:NAME` or `ignore`. Columns that it leaves out are read by their names */
                mapping?: string;
            };
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB, read as it comes. */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSummaryPage"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `imp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getImportFailedRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `imp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listLists: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListPage"];
                };
            };
        };
    };
    createList: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateListRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    getList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `lst_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    deleteList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `lst_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `lst_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeListRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                /** @description only the contact with this address */
                email?: string;
                /** @description `lst_…` */
                list_id?: string;
                tag?: string;
                status?: "subscribed" | "unsubscribed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `con_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `con_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `con_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ContactChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `exp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    getExportFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `exp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                status?: "draft" | "scheduled" | "sending" | "paused" | "sent" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    preflightCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPreflight"];
                };
            };
        };
    };
    sendCampaignTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendCampaignTestRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendCampaignTestResult"];
                };
            };
        };
    };
    launchCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LaunchCampaignRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    undoLaunch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    listFailedRecipients: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedRecipientPage"];
                };
            };
        };
    };
    retryFailedRecipients: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryFailedRecipientsResult"];
                };
            };
        };
    };
    getCampaignReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReport"];
                };
            };
        };
    };
    downloadCampaignRecipients: {
        parameters: {
            query?: {
                /** @description only these; `machine_opened`: opened by machines and by no person */
                filter?: "opened" | "clicked" | "not_opened" | "machine_opened" | "unsubscribed" | "complained" | "bounced";
            };
            header?: never;
            path: {
                /** @description `cmp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookResult"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                status?: "pending" | "succeeded" | "failed" | "dead";
                event_type?: "message.accepted" | "message.deferred" | "message.delivered" | "message.bounced" | "message.complained" | "message.opened" | "message.clicked" | "message.unsubscribed" | "message.dropped" | "message.expired" | "message.cancelled" | "domain.verified" | "domain.failed" | "domain.paused" | "domain.resumed" | "domain.tier_changed" | "domain.braked" | "domain.brake_released" | "campaign.sent" | "contact.unsubscribed" | "alert.opened" | "alert.resolved" | "inbound.received";
                /** @description made from this time on */
                since?: string;
            };
            header?: never;
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `whk_…` */
                id: string;
                /** @description `wdl_…` */
                wdl: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookDeliveryResult"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `whk_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookResult"];
                };
            };
        };
    };
    listAlertRules: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRulePage"];
                };
            };
        };
    };
    createAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlertRuleRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    deleteAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `alr_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `alr_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAlertRuleRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                /** @description only these */
                status?: "open" | "resolved";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
        };
    };
    getAlertSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertSettings"];
                };
            };
        };
    };
    changeAlertSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAlertSettingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertSettings"];
                };
            };
        };
    };
    testAlertChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestAlertChatResult"];
                };
            };
        };
    };
    getInboundWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundWebhook"];
                };
            };
        };
    };
    changeInboundWebhook: {
        parameters: {
            query?: {
                /** @description create a new secret */
                rotate_secret?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeInboundWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeInboundWebhookResult"];
                };
            };
        };
    };
    testInboundWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestInboundWebhookResult"];
                };
            };
        };
    };
    listMailboxes: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailboxPage"];
                };
            };
        };
    };
    createMailbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with this key within 24 hours repeats the first answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMailboxRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mailbox"];
                };
            };
        };
    };
    getMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `mbx_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mailbox"];
                };
            };
        };
    };
    deleteMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `mbx_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `mbx_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMailboxRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mailbox"];
                };
            };
        };
    };
    listInboundMessages: {
        parameters: {
            query?: {
                /** @description cursor: `next_cursor` of the page before */
                after?: string;
                limit?: number;
                /** @description `mbx_…` */
                mailbox_id?: string;
                read?: "true" | "false";
                junk?: "true" | "false";
                /** @description words to search for in the subject, the addresses and the text */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundSummaryPage"];
                };
            };
        };
    };
    getInboundMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `inm_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundMessage"];
                };
            };
        };
    };
    deleteInboundMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `inm_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    changeInboundMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `inm_…` */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeInboundMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundMessage"];
                };
            };
        };
    };
    getInboundMessageSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `inm_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    getInboundAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `inm_…` */
                id: string;
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
}
