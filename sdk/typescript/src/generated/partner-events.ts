// Generated from docs/openapi/partner-events.json by openapi-typescript.

export interface paths {
    "/cdp/v1/users/events/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one event of a linked user
         * @description Send every qualifying event of a linked user once it has happened, and earlier events right after linking. Retry every error with the same id, after Retry-After where it is given: an id that was handled before changes nothing and is answered 200. Bodies are JSON in UTF-8 of at most 64 KiB.
         */
        post: operations["sendUserEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/users/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send several events in one request
         * @description Each event has a result of its own, as if it had been sent alone: one that is refused keeps no other from being accepted. Each event counts against the rate; those above it have a result with status 429, and the others are accepted. A request with another status than 200 and 207 is retried as a whole. Bodies are JSON in UTF-8 of at most 1 MiB.
         */
        post: operations["sendUserEventBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/users/events/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an event without sending it
         * @description Makes all checks of a single event and reports every problem at once. Nothing is stored, and the same event can be sent afterwards. It counts against the rate. A body that is not JSON is a problem too, with status 200.
         */
        post: operations["validateUserEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/users/events/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out which of up to 10,000 events were never accepted
         * @description An id that is reported as missing had no 200 before this request; sending its event again is safe. Any other id was accepted, at any time: ids are kept for good. The answer waits up to 3.5 s for events that are on their way. When it cannot be certain it is 503, never wrong: retry it. Questions about ids have a rate of their own, 4 per second. One request of a platform may be under way. Bodies are JSON in UTF-8 of at most 3 MiB.
         */
        post: operations["reconcileUserEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/users/events/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out whether an event was accepted
         * @description An id that is reported as missing had no 200 before this request; sending its event again is safe. Any other id was accepted, at any time: ids are kept for good. The answer waits up to 3.5 s for events that are on their way. When it cannot be certain it is 503, never wrong: retry it. Questions about ids have a rate of their own, 4 per second.
         */
        get: operations["getUserEventStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/contract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is negotiated with you and in force
         * @description Event names, their attributes and types, a JSON Schema of each event, your rate, and versions that will be in force. Events are admitted by the same data. Needs a key with the scope `events:read`.
         */
        get: operations["showContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your refused events, newest first
         * @description One row per event id and code, with how often and why it was refused. The newest 10,000 are kept for seven days and are erased with the account of their user. They appear within seconds. Refusals with 401, 413, 415, 429 and 5XX are not listed. Needs a key with the scope `events:read`.
         */
        get: operations["listRefusedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdp/v1/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names on which your events and your contract differ, per day
         * @description Event names that are not negotiated, attributes that are left out, and attributes whose values do not parse as their type, each with how often it was sent. Names are as you sent them; values are not stored. Counts appear within seconds and are kept for 14 days. Needs a key with the scope `events:read`.
         */
        get: operations["listDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SendEventProblemDto: {
            /**
             * @description A code of the error catalogue
             * @example invalid_request
             */
            code: string;
            /** @example event.created_at looks like milliseconds; it must be Unix seconds at which the event happened. */
            message: string;
            /**
             * @description never: the same bytes cannot succeed, keep them for a person. later: set the event aside on a schedule of its own. pause: stop sending and tell a person. now: send it again after Retry-After, then with growing delays
             * @enum {string}
             */
            retry: "never" | "later" | "pause" | "now";
        };
        SendEventErrorDto: {
            error: components["schemas"]["SendEventProblemDto"];
        };
        SendEventAttributeDto: {
            /**
             * @description Negotiated attribute name; attributes that were not negotiated are dropped. At most 255 bytes of UTF-8
             * @example amount
             */
            name: string;
            /**
             * @description Always a string; may be empty; at most 4 KiB of UTF-8 for a negotiated attribute
             * @example 100.00
             */
            value: string;
        };
        SendEventDataDto: {
            /**
             * @description Identifies the event: unique per distinct event, the same for every retry; compared byte for byte. At most 255 bytes of UTF-8
             * @example 5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e
             */
            id: string;
            /**
             * @description Negotiated event name, compared byte for byte. At most 255 bytes of UTF-8
             * @example deposit
             */
            name: string;
            /**
             * Format: int64
             * @description Unix seconds at which the event happened, not when it was sent; at most 5 minutes ahead. An event that is up to 30 minutes ahead is refused with the retry class `later` and Retry-After
             * @example 1767225600
             */
            created_at: number;
            /** @description May be empty or missing */
            attributes?: components["schemas"]["SendEventAttributeDto"][];
        };
        SendEventDto: {
            /**
             * @description The user at the partner, as returned in the field sub of the user info response. At most 255 bytes of UTF-8
             * @example player-1
             */
            platform_user_id: string;
            /**
             * @description The partner's name at the service, given with the key. At most 255 bytes of UTF-8
             * @example acme
             */
            platform: string;
            event: components["schemas"]["SendEventDataDto"];
        };
        EventWarningDto: {
            /**
             * @description value_not_parsed: a value does not parse as its negotiated type, and conditions treat it as absent. content_differs: the id was handled before with other content, which stays. Codes may be added; clients ignore those that they do not know
             * @example value_not_parsed
             */
            code: string;
            /**
             * @description The path of the field that it is about
             * @example event.attributes[0].value
             */
            field: string;
            /**
             * @description A sentence for a person, without the value
             * @example event.attributes[0].value does not parse as boolean (true or false). The event is accepted; conditions treat this value as absent.
             */
            message: string;
        };
        SendEventAnswerDto: {
            /**
             * @description duplicate: the id was handled before; nothing changed
             * @enum {string}
             */
            outcome: "accepted" | "duplicate";
            /** @example 5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e */
            event_id: string;
            /**
             * @description Names of attributes that are not negotiated and were left out of the stored event
             * @example [
             *       "campaign"
             *     ]
             */
            dropped_attributes: string[];
            /** @description What is unintended about the accepted event; missing when there is nothing. Fix the sender, not the event */
            warnings?: components["schemas"]["EventWarningDto"][];
        };
        SendEventBatchDto: {
            /** @description Bodies as a single event has them, of at most 64 KiB each. At most `max_batch`: 40 at the rate of 40 events per second, and never more than 100. Other fields beside it are ignored: at most 16, and 4 KiB of names and values together */
            events: components["schemas"]["SendEventDto"][];
        };
        SendEventResultDto: {
            /**
             * @description The status that a request with this event alone would get
             * @example 200
             */
            status: number;
            /** @description Whole seconds after which a retry of this event makes sense, as Retry-After of a single event */
            retry_after?: number;
            /** @description The body that a request with this event alone would get: of a success with status 200, otherwise of an error */
            body: components["schemas"]["SendEventAnswerDto"] | components["schemas"]["SendEventErrorDto"];
        };
        SendEventBatchAnswerDto: {
            /** @description A result per event, in the order of the request */
            results: components["schemas"]["SendEventResultDto"][];
        };
        EventProblemDto: {
            /**
             * @description A code of the error catalogue
             * @example invalid_request
             */
            code: string;
            /** @example event.created_at looks like milliseconds; it must be Unix seconds at which the event happened. */
            message: string;
            /**
             * @description never: the same bytes cannot succeed, keep them for a person. later: set the event aside on a schedule of its own. pause: stop sending and tell a person. now: send it again after Retry-After, then with growing delays
             * @enum {string}
             */
            retry: "never" | "later" | "pause" | "now";
            /**
             * @description The path of the field at fault; empty for the body as a whole
             * @example event.created_at
             */
            field: string;
        };
        EventReportDto: {
            /** @description Whether no check fails */
            valid: boolean;
            /** @description Whether the id was handled before: sending the event is answered 200 and changes nothing */
            duplicate: boolean;
            /** @description Everything for which the event would be refused; at most the first 100 */
            problems: components["schemas"]["EventProblemDto"][];
            /**
             * @description Names of attributes that are not negotiated and would be left out, among the first 100
             * @example [
             *       "campaign"
             *     ]
             */
            dropped_attributes: string[];
            /** @description What is unintended about the event, without being refused; of attributes, about the first 100 */
            warnings: components["schemas"]["EventWarningDto"][];
        };
        ReconcileDto: {
            /** @description Ids of events, exactly as they were sent; each at most 255 bytes of UTF-8. The only field of the body */
            ids: string[];
        };
        ReconcileAnswerDto: {
            /**
             * @description The ids that were never accepted, each once: send these events again, with the same ids
             * @example [
             *       "5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e"
             *     ]
             */
            missing: string[];
        };
        EventStatusDto: {
            /** @description false: no request with this id was answered 200 before this one */
            accepted: boolean;
        };
        NegotiatedAttributeDto: {
            /** @example amount */
            name: string;
            /**
             * @description How the text of the value is read; one that does not parse counts as absent
             * @enum {string}
             */
            type: "string" | "integer" | "decimal" | "boolean" | "timestamp" | "currency";
            /** @description The attribute of the same event that names the currency of this amount */
            currency_attribute?: string;
            /** @description The currencies of the amount; in another one it counts as absent */
            currencies?: string[];
            /** @description A negative value counts as absent */
            non_negative?: boolean;
        };
        NegotiatedEventDto: {
            /** @example deposit */
            name: string;
            /**
             * @description `repeatable` (deposit, trade) is stored for six months, `one_off` (KYC) permanently
             * @enum {string}
             */
            kind: "one_off" | "repeatable";
            attributes: components["schemas"]["NegotiatedAttributeDto"][];
            /** @description JSON Schema (draft 2020-12) of the field `event` of an event of which nothing is dropped and every value parses */
            schema: {
                [key: string]: unknown;
            };
        };
        NegotiatedVersionDto: {
            version: number;
            /**
             * Format: date-time
             * @description The time of receipt from which it applies
             */
            in_force_from: string;
            /** @description Without retired names, which are refused or dropped */
            events: components["schemas"]["NegotiatedEventDto"][];
        };
        PartnerContractDto: {
            /** @example acme */
            platform: string;
            /**
             * @description Events per second over all keys; reads count as one event each
             * @example 40
             */
            rate_per_second: number;
            /**
             * @description Events at once after idle time
             * @example 40
             */
            burst: number;
            /**
             * @description Most events of one batch
             * @example 40
             */
            max_batch: number;
            /** @description Null before the first contract */
            in_force: components["schemas"]["NegotiatedVersionDto"] | (null);
            /** @description Versions that will be in force, oldest first */
            upcoming: components["schemas"]["NegotiatedVersionDto"][];
        };
        RefusedEventDto: {
            /** @description Null when the body has no id that can be read: such refusals share a row per code */
            event_id: string | null;
            /**
             * @description Code of the error catalogue
             * @example event_not_negotiated
             */
            code: string;
            /**
             * @description Path of the field that was refused
             * @example event.created_at
             */
            field: string | null;
            /** @description The last error message */
            message: string;
            platform_user_id: string | null;
            /** @description How often it was refused with this code */
            refusals: number;
            /** Format: date-time */
            first_at: string;
            /** Format: date-time */
            last_at: string;
            /** @description `x-request-id` of the last response */
            last_request_id: string;
        };
        RefusedEventsPageDto: {
            items: components["schemas"]["RefusedEventDto"][];
            next_cursor: string | null;
        };
        DriftDto: {
            /**
             * @description Day in UTC
             * @example 2026-01-31
             */
            day: string;
            /**
             * @description Name of the event; null for all names together that are not negotiated, above 200 of a day
             * @example deposit
             */
            event: string | null;
            /**
             * @description Name of the attribute; null where it is the name of the event that is not negotiated
             * @example campaign
             */
            attribute: string | null;
            /** @description How often the name was sent. Equal to another count: that happened every time */
            sent: number;
            /** @description How often the event was refused because its name is not negotiated */
            not_negotiated: number;
            /** @description How often the attribute was left out because it is not negotiated */
            dropped: number;
            /** @description How often the value did not parse as the negotiated type */
            not_parsed: number;
            /** Format: date-time */
            first_at: string;
            /** Format: date-time */
            last_at: string;
        };
        DriftPageDto: {
            items: components["schemas"]["DriftDto"][];
            next_cursor: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    sendUserEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEventDto"];
            };
        };
        responses: {
            /** @description The event is accepted, or was accepted before */
            200: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventAnswerDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. `platform_mismatch`: The field platform does not match this key. Send the platform name that you received with the key. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `user_not_linked`: No user of your platform is linked with this platform_user_id. Send events only after the user is linked. */
            404: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. Send JSON in UTF-8 with Content-Type: application/json and without Content-Encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `event_not_negotiated`: This event name is not in the contract of your platform. Check its spelling, or ask us to add it. */
            422: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    sendUserEventBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEventBatchDto"];
            };
        };
        responses: {
            /** @description Every event is accepted, or was accepted before */
            200: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventBatchAnswerDto"];
                };
            };
            /** @description At least one event is not accepted; its result says why, and when a retry makes sense */
            207: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventBatchAnswerDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. Send JSON in UTF-8 with Content-Type: application/json and without Content-Encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    validateUserEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEventDto"];
            };
        };
        responses: {
            /** @description What sending the event would do */
            200: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReportDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. Send JSON in UTF-8 with Content-Type: application/json and without Content-Encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    reconcileUserEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconcileDto"];
            };
        };
        responses: {
            /** @description The missing ids */
            200: {
                headers: {
                    /** @description Questions about event ids per second of the platform, all its keys together; not the rate of events */
                    "RateLimit-Limit"?: string;
                    /** @description Questions left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileAnswerDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. Send JSON in UTF-8 with Content-Type: application/json and without Content-Encoding. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Questions about event ids per second of the platform, all its keys together; not the rate of events */
                    "RateLimit-Limit"?: string;
                    /** @description Questions left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    getUserEventStatus: {
        parameters: {
            query: {
                /** @description The id of the event, exactly as it was sent */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it was accepted */
            200: {
                headers: {
                    /** @description Questions about event ids per second of the platform, all its keys together; not the rate of events */
                    "RateLimit-Limit"?: string;
                    /** @description Questions left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventStatusDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Questions about event ids per second of the platform, all its keys together; not the rate of events */
                    "RateLimit-Limit"?: string;
                    /** @description Questions left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    showContract: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the contract that you have */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Strong; send it back in If-None-Match */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerContractDto"];
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Strong; send it back in If-None-Match */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    listRefusedEvents: {
        parameters: {
            query?: {
                /** @description Most items of the answer */
                limit?: number;
                /** @description `next_cursor` of the page before; leave it out for the first page */
                cursor?: string;
                /** @description Only this code of the error catalogue */
                code?: string;
                /** @description Only the event with this id */
                event_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedEventsPageDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
    listDrift: {
        parameters: {
            query?: {
                /** @description Most items of the answer */
                limit?: number;
                /** @description `next_cursor` of the page before; leave it out for the first page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriftPageDto"];
                };
            };
            /** @description `invalid_request`: The request is invalid. Correct the named field and send the request again. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unauthorized`: The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    /** @description Bearer */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `environment_mismatch`: This key belongs to another environment. Use a key of this environment. `forbidden`: Your role, or the scope of your key, does not allow this operation. `integration_paused`: An operator has paused this integration. Retry later. */
            403: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `not_found`: Not found. Check the path and the identifiers in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `request_timeout`: The request took too long to arrive. Send it again. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `payload_too_large`: The body is larger than this operation takes. Send a smaller body. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `rate_limited`: You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
            429: {
                headers: {
                    /** @description Events per second of the platform, all its keys together */
                    "RateLimit-Limit"?: string;
                    /** @description Events left at this moment */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the full limit is available again */
                    "RateLimit-Reset"?: number;
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `headers_too_large`: The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `internal_error`: An internal error occurred. Retry later; if the problem persists, quote the request id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
            /** @description `unavailable`: The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. `overloaded`: Overloaded. Retry after the time in Retry-After, an event with the same id. */
            503: {
                headers: {
                    /** @description Whole seconds after which a retry makes sense */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventErrorDto"];
                };
            };
        };
    };
}
