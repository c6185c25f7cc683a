/* The types of the API, made of its document by `npm run client`. Do not edit. */

export interface paths {
    "/api/v1/runtime/v1/observability/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest events
         * @description Stores 1 to 5,000 events durably; they become queryable within two seconds. Also takes NDJSON, one event a line. One bad event makes the whole batch a 400 and nothing is stored; with `partial=true` the good ones are stored.
         *
         *     Scope: `events:write`.
         */
        post: operations["postObservabilityEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/events/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Newest events
         * @description Events with all their properties, most recent first. The runtime's own events appear when named.
         *
         *     Scope: `events:read`.
         */
        get: operations["getObservabilityEventsFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/events/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query events as a table
         * @description Mode raw gives single events, mode aggregate gives groups with metrics. Filters, dates, grouping and sorting are described in docs/events.md.
         *
         *     Scope: `events:read`.
         */
        post: operations["postObservabilityEventsQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/chat/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream a chat completion
         * @description Asks a model and streams its answer as plain text, or with `Accept: text/event-stream` as events (text, reasoning, tool_call, usage, warning, error, done). The status is decided with the first content: before it, errors have their own; after it, a failure breaks the connection off, so that an answer that ended cleanly is whole.
         *
         *     Scope: `chat:write`.
         */
        post: operations["postChatStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List executions
         * @description Rows without messages, the newest first unless sorted otherwise. search looks for words of messages and output as the search of reviews does. total counts at most 10,000, and is null when counting would hold up the rows.
         *
         *     Scope: `executions:read`.
         */
        get: operations["getObservabilityExecutions"];
        put?: never;
        /**
         * Record an execution
         * @description Keeps what an execution engine did. A repeated id changes that execution: members that are given replace what was recorded, the others stay, so that a running one can be completed. Null counts as left out, as do empty messages.
         *
         *     Scope: `executions:write`.
         */
        post: operations["postObservabilityExecutions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions/{executionId}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List steps
         * @description The steps of an execution in the order of their starts.
         *
         *     Scope: `executions:read`.
         */
        get: operations["getObservabilityExecutionsExecutionIdSteps"];
        put?: never;
        /**
         * Add or change steps
         * @description In any order, also before the step within which they ran. A repeated id changes that step: members that are given replace what was recorded, the others stay.
         *
         *     Scope: `executions:write`.
         */
        post: operations["postObservabilityExecutionsExecutionIdSteps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an execution
         * @description One execution with its whole conversation and its first 1,000 steps.
         *
         *     Scope: `executions:read`.
         */
        get: operations["getObservabilityExecutionsExecutionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List threads
         * @description Conversations that have executions, the one with the newest execution first. A filter keeps the threads of which an execution fits, and orders them by these; numbers, cost and times are those of the whole thread.
         *
         *     Scope: `executions:read`.
         */
        get: operations["getObservabilityThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/threads/{threadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a thread
         * @description A conversation in order: its executions, its events without the runtime's own, and the reviews of its executions. Events are shown to callers with `events:read`, reviews to those with `reviews:read`. Also answers a thread that only events name, which the list does not have.
         *
         *     Scope: `executions:read`.
         */
        get: operations["getObservabilityThreadsThreadId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/files/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest a file
         * @description Ingests a file into a vector store asynchronously; statusUrl shows the progress. The file is on disk when this responds. A CSV becomes one document with a text for each row. The same file with the same fields, sent again while its job runs, returns that job. Beyond what can be written at once, a file waits for its turn.
         *
         *     Scope: `knowledge:write`.
         */
        post: operations["postVectorsFilesIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/files/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the limits of uploads
         * @description What a file must meet, so that a client can refuse it before it is sent.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsFilesLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/ingestion-jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an ingestion job
         * @description How far the ingestion of a file is, or how it ended. Jobs that have ended are kept for 90 days.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsIngestionJobsJobId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runtime/v1/vectors/ingestion-jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an ingestion job by its statusUrl
         * @description How far the ingestion of a file is, or how it ended. Jobs that have ended are kept for 90 days.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getRuntimeV1VectorsIngestionJobsJobId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/ingestion-jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an ingestion job
         * @description Ends a job that is not done, as failed with the error "cancelled". What it has stored goes.
         *
         *     Scope: `knowledge:write`.
         */
        post: operations["postVectorsIngestionJobsJobIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List vector stores
         * @description The vector stores of the tenant, by name.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsStores"];
        put?: never;
        /**
         * Create a vector store
         * @description An empty store, with the embedder that the server is set up with. Its first file would make it, too.
         *
         *     Scope: `knowledge:write`.
         */
        post: operations["postVectorsStores"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/stores/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a vector store
         * @description Its embedder, and how much can be found in it.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsStoresName"];
        put?: never;
        post?: never;
        /**
         * Delete a vector store
         * @description Deletes the store with all its documents. Jobs that fill it fail.
         *
         *     Scope: `knowledge:write`.
         */
        delete: operations["deleteVectorsStoresName"];
        options?: never;
        head?: never;
        /**
         * Rename a vector store
         * @description Documents and jobs stay as they are. Agents and programs find the store by its new name only.
         *
         *     Scope: `knowledge:write`.
         */
        patch: operations["patchVectorsStoresName"];
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/stores/{name}/ingestion-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ingestion jobs of a vector store
         * @description Newest first; those that have ended are kept for 90 days.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsStoresNameIngestionJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/stores/{name}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a vector store
         * @description Newest first; a file becomes a document when its ingestion is completed.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsStoresNameDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/stores/{name}/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document
         * @description A document with its passages from one on: those around the passage that a search has found.
         *
         *     Scope: `knowledge:read`.
         */
        get: operations["getVectorsStoresNameDocumentsDocumentId"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description The document is no longer found once this responds; its disk space is freed soon after.
         *
         *     Scope: `knowledge:write`.
         */
        delete: operations["deleteVectorsStoresNameDocumentsDocumentId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/vectors/stores/{name}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search a vector store
         * @description The passages that answer a query best, by their words (BM25, misspelt words corrected), their vectors, or both (reciprocal rank fusion), each with where it stands.
         *
         *     Scope: `knowledge:read`.
         */
        post: operations["postVectorsStoresNameSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions/{executionId}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a review
         * @description The one review of an execution, which need not be recorded. reviewedBy is the label of the key.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityExecutionsExecutionIdReviews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions/{executionId}/reviews/exists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Does an execution have a review?
         * @description An unknown execution has no review.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityExecutionsExecutionIdReviewsExists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reviews
         * @description Newest first. search looks for Portuguese words in the comments: singular and plural find one another, and so do forms with the same stem, with or without accents. With match=exact it looks for the words as written.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/reviews/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of an agent
         * @description The number of reviews of each kind of an agent, and how long their resolution takes. Without a review, all are zero.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityReviewsStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/reviews/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Did badly rated executions convert less?
         * @description By rating, how many of the newest 10,000 reviewed executions an event named, or followed in their thread. It needs events:read, too.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityReviewsOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/reviews/export/training-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export fine-tuning examples
         * @description One example for each matching review, or a line of the JSONL formats for each that they can express; x-skipped counts the reviews that gave none. Sent as it is read; who takes nothing of it for 30 seconds is disconnected.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityReviewsExportTrainingData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/reviews/export/training-data/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count fine-tuning examples
         * @description How many lines the export has in each format, and how many reviews it leaves out for which reason.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityReviewsExportTrainingDataCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/reviews/{reviewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a review
         * @description One review with all its fields.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityReviewsReviewId"];
        put?: never;
        post?: never;
        /**
         * Delete a review
         * @description Gone for good; the execution may be reviewed again.
         *
         *     Scope: `reviews:write`.
         */
        delete: operations["deleteObservabilityReviewsReviewId"];
        options?: never;
        head?: never;
        /**
         * Update a review
         * @description Send only what changes. Becoming resolved sets resolvedBy and resolvedAt, any other status clears them. updatedBy is the label of the key.
         *
         *     Scope: `reviews:write`.
         */
        patch: operations["patchObservabilityReviewsReviewId"];
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/rubrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rubrics
         * @description The newest version of each rubric, by name.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityRubrics"];
        put?: never;
        /**
         * Create a rubric
         * @description A named set of questions about an execution, as version 1.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityRubrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/rubrics/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a rubric
         * @description The newest version, or the one that is asked for. Versions never change.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityRubricsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Make a new version of a rubric
         * @description The newest version with these members changed becomes the next one; what changes nothing makes none. Assessments keep the version that was answered.
         *
         *     Scope: `reviews:write`.
         */
        patch: operations["patchObservabilityRubricsName"];
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/rubrics/{name}/agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Do people agree on a rubric?
         * @description For each question, how far the answers of different people to the same executions agree: as they are, and beyond chance by Cohen's or Fleiss' kappa. Those of API keys and judges do not count.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityRubricsNameAgreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions/{executionId}/assessments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the assessments of an execution
         * @description Oldest first, with every rubric. An unknown execution has none.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityExecutionsExecutionIdAssessments"];
        put?: never;
        /**
         * Assess an execution
         * @description The caller's answers to a rubric. Each person and each API key has one assessment of an execution with a rubric: another one takes its place as a whole. Answers are checked against the version that `rubric` names, which is kept.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityExecutionsExecutionIdAssessments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/executions/{executionId}/assessments/{assessmentId}": {
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
         * Delete an assessment
         * @description Only the assessor may: the same person, or the same API key.
         *
         *     Scope: `reviews:write`.
         */
        delete: operations["deleteObservabilityExecutionsExecutionIdAssessmentsAssessmentId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queues
         * @description By name, with their counts as far as they are filled.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityQueues"];
        put?: never;
        /**
         * Make a queue
         * @description A queue has the executions that match its filters, a share of them, or those in whose threads an event followed. It fills itself: with those that are recorded, and with those that come or change.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityQueues"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/queues/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a queue
         * @description One queue with its counts and the progress of each person.
         *
         *     Scope: `reviews:read`.
         */
        get: operations["getObservabilityQueuesName"];
        put?: never;
        post?: never;
        /**
         * Remove a queue
         * @description With its items and what people did with them; executions and reviews stay.
         *
         *     Scope: `reviews:write`.
         */
        delete: operations["deleteObservabilityQueuesName"];
        options?: never;
        head?: never;
        /**
         * Change a queue
         * @description Send only what changes. Other filters, share or outcome fill the queue anew; items that somebody was handed stay.
         *
         *     Scope: `reviews:write`.
         */
        patch: operations["patchObservabilityQueuesName"];
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/queues/{name}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the next item
         * @description The oldest execution that nobody holds and that the caller neither finished nor skipped. For ten minutes nobody else gets it; whoever asks again within them gets it again, for another ten minutes.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityQueuesNameNext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/queues/{name}/items/{executionId}/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish an item
         * @description The caller is done with it. It is done for everybody when as many people are as the queue asks for.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityQueuesNameItemsExecutionIdDone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/queues/{name}/items/{executionId}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip an item
         * @description The caller never gets it again; others do.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityQueuesNameItemsExecutionIdSkip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/observability/queues/{name}/items/{executionId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an item back
         * @description Undoes the last step: what the caller holds is free at once; what they finished or skipped they hold again.
         *
         *     Scope: `reviews:write`.
         */
        post: operations["postObservabilityQueuesNameItemsExecutionIdRelease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-cards/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a card that is not saved
         * @description Renders a card for an editor and saves nothing; the id in the answer is `preview`. An invalid card is refused with the same messages as when it is created. A preview can query all events, so it needs the scope `events:read`, and no other.
         *
         *     Scope: `events:read`.
         */
        post: operations["postObservabilityDashboardCardsPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-cards/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render several cards
         * @description Renders up to 50 cards, in the order of `ids`. A card that fails has an `error`; the others still have their data.
         *
         *     Scope: `dashboards:read`.
         */
        post: operations["postObservabilityDashboardCardsRender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-cards/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Render a card
         * @description What the card shows now: as JSON, the data that the MCP tool render_dashboard_card returns; with `Accept: image/svg+xml` or `Accept: image/png`, a picture.
         *
         *     Scope: `dashboards:read`.
         */
        get: operations["getObservabilityDashboardCardsIdRender"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cards
         * @description The cards of an agent, or of all, by sortOrder, then by age.
         *
         *     Scope: `dashboards:read`.
         */
        get: operations["getObservabilityDashboardCards"];
        put?: never;
        /**
         * Make or change a card
         * @description Idempotent on agentId, eventName, cardType, aggregation and propertyKey, or on idempotencyKey when given. A repeated one changes the card (created: false); tabId, gridLayout and sortOrder that are left out stay. Configs by type are described in docs/dashboards.md.
         *
         *     Scope: `dashboards:write`.
         */
        post: operations["postObservabilityDashboardCards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-cards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a card
         * @description One card with its config as it was sent, but for a limit that was capped, null, and values in other spellings.
         *
         *     Scope: `dashboards:read`.
         */
        get: operations["getObservabilityDashboardCardsId"];
        put?: never;
        post?: never;
        /**
         * Delete a card
         * @description The card is gone; its events stay.
         *
         *     Scope: `dashboards:write`.
         */
        delete: operations["deleteObservabilityDashboardCardsId"];
        options?: never;
        head?: never;
        /**
         * Change a card
         * @description Send only what changes. config replaces the whole config; cardType needs it beside it. 409 when another card asks the same by then.
         *
         *     Scope: `dashboards:write`.
         */
        patch: operations["patchObservabilityDashboardCardsId"];
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-tabs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tabs
         * @description The tabs of an agent, or of all, by sortOrder ascending.
         *
         *     Scope: `dashboards:read`.
         */
        get: operations["getObservabilityDashboardTabs"];
        put?: never;
        /**
         * Make a tab
         * @description Idempotent on agentId and name. A sortOrder that is given and differs is updated.
         *
         *     Scope: `dashboards:write`.
         */
        post: operations["postObservabilityDashboardTabs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-tabs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tab
         * @description One tab; the cards in it carry its id as tabId.
         *
         *     Scope: `dashboards:read`.
         */
        get: operations["getObservabilityDashboardTabsId"];
        put?: never;
        post?: never;
        /**
         * Delete a tab
         * @description The cards of the tab stay, in no tab.
         *
         *     Scope: `dashboards:write`.
         */
        delete: operations["deleteObservabilityDashboardTabsId"];
        options?: never;
        head?: never;
        /**
         * Change a tab
         * @description Renames or moves it. 409 when the agent has a tab of that name already.
         *
         *     Scope: `dashboards:write`.
         */
        patch: operations["patchObservabilityDashboardTabsId"];
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes by agents
         * @description What agents changed in cards and tabs over MCP in the last 30 days, newest first.
         *
         *     Scope: `dashboards:read`.
         */
        get: operations["getObservabilityDashboardChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-changes/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a change by an agent
         * @description Puts back what was there before: a deleted card has its id again, and a new card or tab is gone. A card whose tab is gone is in none.
         *
         *     Scope: `dashboards:write`.
         */
        post: operations["postObservabilityDashboardChangesIdUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-tabs/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links of a tab
         * @description Newest first, never with their addresses. A caller with limits sees the links within them.
         *
         *     Scope: `dashboards:write`.
         */
        get: operations["getObservabilityDashboardTabsIdLinks"];
        put?: never;
        /**
         * Share a tab by a link
         * @description Makes a secret link. It opens the tab without a login until it expires or is revoked. It needs `dashboards:read`, too, and is held to your limits below the tenant. Each request makes another link.
         *
         *     Scope: `dashboards:write`.
         */
        post: operations["postObservabilityDashboardTabsIdLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/dashboard-tabs/{id}/links/{linkId}": {
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
         * Revoke a link
         * @description The link is void at once, also on pages that are open.
         *
         *     Scope: `dashboards:write`.
         */
        delete: operations["deleteObservabilityDashboardTabsIdLinksLinkId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared/{secret}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a shared tab
         * @description The current answers of the cards of the tab. The link is the only credential. Ids, the events behind a number and names of agents are left out.
         */
        get: operations["getSharedSecretJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared/{secret}.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a shared tab as SVG
         * @description A picture of the tab with its cards in their places. The link is the only credential.
         */
        get: operations["getSharedSecretSvg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared/{secret}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a shared tab as PNG
         * @description A picture of the tab with its cards in their places. The link is the only credential.
         */
        get: operations["getSharedSecretPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List metrics
         * @description The approved version of each metric, or the newest where none is approved; by name, or with `search` best first.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityMetrics"];
        put?: never;
        /**
         * Propose a metric
         * @description Version 1, in the state `proposed`. Questions can use it at once; their answers say that nobody has approved it.
         *
         *     Scope: `metrics:write`.
         */
        post: operations["postObservabilityMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/metrics/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a metric
         * @description The approved version, or the newest where none is approved.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityMetricsName"];
        put?: never;
        post?: never;
        /**
         * Deprecate a metric
         * @description No search finds it any more. Its versions can still be asked for, and their answers say so. A metric that a person approved is deprecated by administrators in the portal alone.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     Scope: `metrics:write`.
         */
        delete: operations["deleteObservabilityMetricsName"];
        options?: never;
        head?: never;
        /**
         * Propose a new version of a metric
         * @description The newest version with these members changed becomes the next version, in the state `proposed`. The approved version stays the one that the name stands for. Members that change nothing make no version.
         *
         *     Scope: `metrics:write`.
         */
        patch: operations["patchObservabilityMetricsName"];
        trace?: never;
    };
    "/api/v1/runtime/observability/metrics/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a metric
         * @description Newest first, each with what it changed in the version before.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityMetricsNameVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/metrics/{name}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a metric
         * @description The newest version with the one before by default.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityMetricsNameDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/metrics/{name}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a version of a metric
         * @description For administrators in the portal; no API key may. The name then stands for this version, and the version approved before becomes deprecated.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postObservabilityMetricsNameApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the terms of the business glossary
         * @description Words with their definitions, their synonyms and the metric that they mean; by term.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityTerms"];
        put?: never;
        /**
         * Add a term
         * @description Where `metric` is set, questions find that metric by the term and by its synonyms.
         *
         *     Scope: `metrics:write`.
         */
        post: operations["postObservabilityTerms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/terms/{term}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a term
         * @description The term, in its own spelling.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityTermsTerm"];
        put?: never;
        post?: never;
        /**
         * Remove a term
         * @description Questions do not find a metric by it any more.
         *
         *     Scope: `metrics:write`.
         */
        delete: operations["deleteObservabilityTermsTerm"];
        options?: never;
        head?: never;
        /**
         * Change a term
         * @description Send only what changes; null removes synonyms or the metric.
         *
         *     Scope: `metrics:write`.
         */
        patch: operations["patchObservabilityTermsTerm"];
        trace?: never;
    };
    "/api/v1/runtime/observability/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a change
         * @description Which groups of which properties carry the difference of two periods: the same question and answer as the MCP tool `explain_change`, which docs/explain.md describes.
         *
         *     Scope: `events:read`.
         */
        post: operations["postObservabilityExplain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List annotations
         * @description Newest first, by the time that they are about.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilityAnnotations"];
        put?: never;
        /**
         * Add an annotation
         * @description Says what happened when, such as a release. Series, charts and explanations of that time show it.
         *
         *     Scope: `metrics:write`.
         */
        post: operations["postObservabilityAnnotations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/annotations/{id}": {
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
         * Remove an annotation
         * @description Nothing shows it any more.
         *
         *     Scope: `metrics:write`.
         */
        delete: operations["deleteObservabilityAnnotationsId"];
        options?: never;
        head?: never;
        /**
         * Change an annotation
         * @description Send only what changes.
         *
         *     Scope: `metrics:write`.
         */
        patch: operations["patchObservabilityAnnotationsId"];
        trace?: never;
    };
    "/api/v1/runtime/observability/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Newest first, with the state of each.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityAlerts"];
        put?: never;
        /**
         * Create an alert
         * @description Checks the last complete bucket of a metric, a question or a card on a schedule, and tells the targets when its state changes.
         *
         *     Scope: `alerts:write`.
         */
        post: operations["postObservabilityAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert
         * @description The definition, the state and the last check of the alert.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityAlertsId"];
        put?: never;
        post?: never;
        /**
         * Remove an alert
         * @description Deletes the alert with its history. Messages that wait are still delivered.
         *
         *     Scope: `alerts:write`.
         */
        delete: operations["deleteObservabilityAlertsId"];
        options?: never;
        head?: never;
        /**
         * Change an alert
         * @description Send only what changes. A change of what is checked begins with the state ok. Targets that are sent without their secrets keep them.
         *
         *     Scope: `alerts:write`.
         */
        patch: operations["patchObservabilityAlertsId"];
        trace?: never;
    };
    "/api/v1/runtime/observability/alerts/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an alert
         * @description Checks now, and sends each target a test message. The state stays as it is.
         *
         *     Scope: `alerts:write`.
         */
        post: operations["postObservabilityAlertsIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/alerts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * History of an alert
         * @description Changes of its state, newest first, and its latest messages with how each was delivered.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityAlertsIdHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/digests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List digests
         * @description Newest first, with when each was sent last and is sent next.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityDigests"];
        put?: never;
        /**
         * Create a digest
         * @description Sends the cards of a dashboard on a schedule: numbers with what changed since the last time, and pictures.
         *
         *     Scope: `alerts:write`.
         */
        post: operations["postObservabilityDigests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/digests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a digest
         * @description The definition of the digest, and when it was and will be sent.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityDigestsId"];
        put?: never;
        post?: never;
        /**
         * Remove a digest
         * @description Messages that wait are still delivered.
         *
         *     Scope: `alerts:write`.
         */
        delete: operations["deleteObservabilityDigestsId"];
        options?: never;
        head?: never;
        /**
         * Change a digest
         * @description Send only what changes. Targets that are sent without their secrets keep them.
         *
         *     Scope: `alerts:write`.
         */
        patch: operations["patchObservabilityDigestsId"];
        trace?: never;
    };
    "/api/v1/runtime/observability/digests/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a digest now
         * @description Sends the digest to each target, beside the schedule.
         *
         *     Scope: `alerts:write`.
         */
        post: operations["postObservabilityDigestsIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/digests/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * History of a digest
         * @description The latest messages of the digest, newest first, with how each was delivered.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityDigestsIdHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Messages of all alerts and digests, also of deleted ones, newest first, with how each was delivered. `state=dead` lists those that were given up.
         *
         *     Scope: `alerts:read`.
         */
        get: operations["getObservabilityDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments
         * @description Saved filters over who did what when, by name.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilitySegments"];
        put?: never;
        /**
         * Save a segment
         * @description A filter over who did what when. Its subjects are the values of `by` for which all conditions hold; a question with `segment` counts events of these alone. docs/segments.md has examples.
         *
         *     Scope: `metrics:write`.
         */
        post: operations["postObservabilitySegments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/observability/segments/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment
         * @description One segment with its conditions.
         *
         *     Scope: `metrics:read`.
         */
        get: operations["getObservabilitySegmentsName"];
        put?: never;
        post?: never;
        /**
         * Remove a segment
         * @description Questions and cards that name it are refused from then on.
         *
         *     Scope: `metrics:write`.
         */
        delete: operations["deleteObservabilitySegmentsName"];
        options?: never;
        head?: never;
        /**
         * Change a segment
         * @description Send only what changes; `conditions` replaces all of them. The name stays.
         *
         *     Scope: `metrics:write`.
         */
        patch: operations["patchObservabilitySegmentsName"];
        trace?: never;
    };
    "/api/v1/runtime/observability/cases/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events behind a number
         * @description `handle` is the `basis.cases` of an answer. Its events, newest first, with the threads and executions that they belong to. A handle is a question, not a right: it is answered from the caller's own tenant.
         *
         *     Scope: `events:read`.
         */
        get: operations["getObservabilityCasesHandle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Send only what changes. phone and avatarUrl may be null. Roles up to ADMIN are granted by ADMIN and SUPER_ADMIN and by their keys with the scope *, SUPER_ADMIN by SUPER_ADMIN alone; a caller that may not grant the role of an administrator cannot change the email, isActive and role of that user. A tenant always has one active administrator.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     Scope: `users:write`.
         */
        patch: operations["patchUsersId"];
        trace?: never;
    };
    "/api/v1/runtime/v1/connectors/{connector}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a connector
         * @description Calls a resource of a configured external API. Every failure but 401 and 403 comes in the envelope `{success: false, error}`, with the resource's fallback response where it has one. `metadata.retrySafe` says whether the same call may be made again.
         *
         *     Scope: `connectors:execute`.
         */
        post: operations["postConnectorsConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtime/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your own usage
         * @description The quotas and budgets of the tenant and of the API key that asks: how much is allowed, used, reserved and left, and when the window ends. Quotas that are not set are not listed. See docs/limits.md.
         *
         *     For every API key, whatever its scopes, and every portal user.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Opens a session: a token for twelve hours, to be sent as `Authorization: Bearer <token>`. The answer also sets the cookie `ar_device`, which marks the browser as known to the user. With `session: "cookie"`, for pages of this server, it also sets the cookie `ar_session` with the token (docs/portal.md). After too many failures logins are refused for a while; failures are counted for an e-mail from one address, from all addresses, and from a known browser. A user with a second factor, or who needs one, gets 202 and a ticket for `POST /api/v1/portal/login/second-factor` (docs/second-factor.md).
         */
        post: operations["postPortalLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with a link
         * @description Opens a session with the secret of a login link, which is then void, and sets the cookie `ar_session`. Only for pages of this server: the request needs `x-requested-with: portal` (docs/portal.md).
         */
        post: operations["postPortalLoginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of the token or cookie: it is refused from the next request on. The browser stays known.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I?
         * @description The user of the token with role and tenant as they are now, and what the role allows.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your own account
         * @description The language of your pages.
         *
         *     For portal users, with the token of their login.
         */
        patch: operations["patchPortalMe"];
        trace?: never;
    };
    "/api/v1/portal/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Active sessions, newest first; `current` marks the session of this request.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalSessions"];
        put?: never;
        post?: never;
        /**
         * End your sessions
         * @description Ends all your sessions except that of this request; with `all=true` that one too.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/sessions/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of everybody
         * @description Active sessions of all users of the tenant, newest first; `current` marks the session of this request.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalSessionsAll"];
        put?: never;
        post?: never;
        /**
         * End the sessions of everybody
         * @description Ends the sessions of all users of the tenant but yours. ADMIN ends none of a SUPER_ADMIN. Whoever may log in can do so again.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalSessionsAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/sessions/{id}": {
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
         * End a session
         * @description Ends one session of yours: its token is refused from the next request on.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalSessionsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a user
         * @description Active sessions of a user of the tenant, newest first.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalUsersIdSessions"];
        put?: never;
        post?: never;
        /**
         * End the sessions of a user
         * @description Ends every session of a user of the tenant. ADMIN cannot end those of a SUPER_ADMIN. The user may log in again: to prevent that, deactivate them or set another password.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalUsersIdSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/users/{id}/sessions/{sessionId}": {
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
         * End a session of a user
         * @description Ends one session of a user of the tenant. ADMIN cannot end those of a SUPER_ADMIN.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalUsersIdSessionsSessionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in: give the second factor
         * @description Opens the session for which a login answered 202, with the ticket and one of `code`, `recoveryCode` and `passkey`. A code works once. A ticket takes five wrong ones; a user takes five wrong codes in fifteen minutes and thirty a day, with whatever tickets.
         */
        post: operations["postPortalLoginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login/second-factor/enrolment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in: begin to add the first factor
         * @description The next step of a login that answered 202 with `enrol`: the tenant requires a second factor, and the user has none.
         */
        post: operations["postPortalLoginSecondFactorEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login/second-factor/enrolment/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in: confirm the first factor
         * @description Stores the factor that was begun, answers the recovery codes and opens the session.
         */
        post: operations["postPortalLoginSecondFactorEnrolmentConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with a passkey: begin
         * @description Begins a login without e-mail and password: the browser shows the passkeys that it has for this server.
         */
        post: operations["postPortalLoginPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/login/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with a passkey
         * @description Opens a session. The passkey must have asked for a PIN, a fingerprint or the like: it is both factors.
         */
        post: operations["postPortalLoginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your second factors
         * @description The authenticator app, the passkeys, and how many recovery codes are left.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalMeSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/second-factor/enrolment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a factor
         * @description An authenticator app (`code`) or a passkey. Nothing is stored until it is confirmed, within fifteen minutes.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalMeSecondFactorEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/second-factor/enrolment/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a factor
         * @description Stores the factor that was begun in this session; an authenticator app replaces the former one. The first factor comes with ten recovery codes.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalMeSecondFactorEnrolmentConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/second-factor/totp": {
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
         * Remove your authenticator app
         * @description The codes of the app are void immediately. Without any factor, the recovery codes are void as well.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalMeSecondFactorTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/second-factor/passkeys/{id}": {
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
         * Remove a passkey
         * @description The passkey is refused from the next request on. Without any factor, the recovery codes are void as well.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalMeSecondFactorPasskeysId"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description The name is for you alone, to tell your passkeys apart.
         *
         *     For portal users, with the token of their login.
         */
        patch: operations["patchPortalMeSecondFactorPasskeysId"];
        trace?: never;
    };
    "/api/v1/portal/me/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Ten new codes, each of which works once. Those from before are void at once.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalMeSecondFactorRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/step-up/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a step-up
         * @description The second factors that you can give, and the options with which a browser asks for a passkey.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalMeStepUpOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Step up: give the second factor again
         * @description For ten minutes, this session may then make the changes that need a second factor.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalMeStepUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/users/{id}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the second factors of a user
         * @description Which second factors a user of the tenant has, and whether one is required of them.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalUsersIdSecondFactor"];
        put?: never;
        post?: never;
        /**
         * Reset the second factor of a user
         * @description Removes the authenticator app, the passkeys and the recovery codes of a user who has lost them, and ends their sessions. ADMIN cannot reset those of a SUPER_ADMIN.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalUsersIdSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Newest first, revoked ones too unless `state` leaves them out, never with their secrets. Administrators see those of the tenant, others those that they made.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown in this answer alone. It may have scopes that you hold yourself, no others. One that is bound to an agent makes the agent if you are an administrator.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalKeys"];
        /**
         * Revoke a user's API keys
         * @description Every valid key that a user made is void at once and for good; keys that were revoked before stay as they are. For administrators, and for the user. Deactivate a user who leaves first: who can log in can make new keys.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalKeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description A new secret for the same key, shown in this answer alone. The old one is void at once, or with `overlapSeconds` after that time; a second rotation voids the older one, a revocation both. Only for keys with scopes that you hold yourself. Whoever rotates a key with the scope `*` counts as its maker.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalKeysIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/keys/{id}": {
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
         * Revoke an API key
         * @description The key is void immediately and for good. Revoking it again changes nothing.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalKeysId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/authorizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an authorization request
         * @description What an application that a person sent here by OAuth asks for; see docs/login.md. The page `/authorize/ID` shows it.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalAuthorizationsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/authorizations/{id}/allow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allow an authorization request
         * @description Lets the application act for you, within what you allow and what your role has. The answer sets the cookie `ar_approval`, without which the browser cannot go on: only the browser in which the request began gets the code.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalAuthorizationsIdAllow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/authorizations/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse an authorization request
         * @description The application learns that you refused.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalAuthorizationsIdRefuse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List grants
         * @description The applications that may act for people, newest first. Administrators see those of the tenant, others their own.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/grants/{id}": {
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
         * End a grant
         * @description Every token of it is void at once. For the user who allowed it, and for administrators.
         *
         *     For portal users, with the token of their login.
         */
        delete: operations["deletePortalGrantsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description The users of the tenant, newest first; with search those who have it in their name or e-mail. Every filter narrows the list.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalUsers"];
        put?: never;
        /**
         * Make a user
         * @description ADMIN gives roles up to ADMIN. Without a password the user cannot log in until one is set.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description One user of the tenant, with what they and their keys have made in _count.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalUsersId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Send only what changes. phone and avatarUrl may be null. Roles up to ADMIN are granted by ADMIN and SUPER_ADMIN and by their keys with the scope *, SUPER_ADMIN by SUPER_ADMIN alone; a caller that may not grant the role of an administrator cannot change the email, isActive and role of that user. A tenant always has one active administrator.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        patch: operations["patchPortalUsersId"];
        trace?: never;
    };
    "/api/v1/portal/users/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the password of a user
         * @description 12 to 200 characters. The user's sessions end. ADMIN cannot set the password of a SUPER_ADMIN.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        put: operations["putPortalUsersIdPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your own password
         * @description Takes the current one, too. All your sessions end, this one among them: log in with the new password.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalMePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Those that are open, newest first, never with their links: used, revoked and expired ones are gone.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Makes a link with which a person becomes a user of the tenant, once and within seven days. It takes the place of an open invitation of the same e-mail. ADMIN invites for roles up to ADMIN.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/invitations/describe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at an invitation
         * @description Who invites whom to which tenant, for the person who has the link. The invitation stays open.
         */
        post: operations["postPortalInvitationsDescribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Makes the user and opens a session as `POST /api/v1/portal/login` does. A user who needs a second factor gets 202 and a ticket. Where the tenant has switched password logins off, no password is taken, and 201 says where to log in.
         */
        post: operations["postPortalInvitationsAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/invitations/{id}": {
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
         * Revoke an invitation
         * @description The link is void at once. ADMIN cannot revoke one for the role SUPER_ADMIN.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalInvitationsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description The agents of the tenant, by name.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Agents also come with their first use; this makes one before it.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connectors
         * @description The connectors of the tenant, by slug, without their definitions.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalConnectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/connectors/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connector
         * @description The whole definition, in the form that a PUT takes. There is no secret in it.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalConnectorsSlug"];
        /**
         * Put a connector
         * @description A definition takes the place of the one of this slug as a whole: what it leaves out is as by default. One that reads the environment of the server ({"env": "NAME"}) or allows private networks is for the operator alone. Calls use it within a second.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        put: operations["putPortalConnectorsSlug"];
        post?: never;
        /**
         * Remove a connector
         * @description Calls of it are answered with 404 within a second. The credentials that it lists stay.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalConnectorsSlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/connectors/{slug}/import-preview": {
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
         * @description Makes a definition of an OpenAPI document, as `connectors import` does, and stores nothing: a PUT of `definition` does. Of a connector that is stored, the operator's own settings stay, and `changes` are the differences.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalConnectorsSlugImportPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/connectors/{slug}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a call
         * @description The same call as that of a key, also with the request and the headers of the answer, without secrets. A call that fails is an answer, too: `call` is its envelope. Events record it like any other.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalConnectorsSlugTry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/connectors/{slug}/circuits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the circuits of a connector
         * @description The state of the circuit breaker of each environment, as the process that answers sees it.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalConnectorsSlugCircuits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/connectors/{slug}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of a connector
         * @description The tools that MCP clients see of its exposed resources, as a model reads them.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalConnectorsSlugTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credentials
         * @description The credentials of the tenant, by name, never with their secrets.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/credentials/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a credential
         * @description Replaces the credential of this name as a whole, which is how a secret is rotated. `hosts` is required for a new credential; left out, the hosts of the replaced credential stay. No answer ever shows the secret. Calls use it within a second.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        put: operations["putPortalCredentialsName"];
        post?: never;
        /**
         * Remove a credential
         * @description Deletes the credential for good; calls lose it within a second.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalCredentialsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List LLM providers
         * @description The seven vendors, each with the source of its key, and the definitions of the tenant. No secret is ever shown.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/providers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an LLM provider
         * @description The whole definition; secrets are `set` or `{"env": "NAME"}`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalProvidersName"];
        /**
         * Put an LLM provider
         * @description A definition takes the place of the one of this name as a whole; only secrets that are left out stay, unless `baseUrl` or `provider` changes. One that reads the environment of the server, uses its AWS credentials or allows private networks is for the operator alone: a SUPER_ADMIN of the only tenant, or the command line. Chats use it within a second.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        put: operations["putPortalProvidersName"];
        post?: never;
        /**
         * Remove an LLM provider
         * @description Chats that name it are refused within a second. Its key is deleted with it.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalProvidersName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/providers/{name}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models of an LLM provider
         * @description Chat models that the public price table knows at this address, by id, with their prices. The key may not allow all, and the vendor may have newer ones.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalProvidersNameModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/providers/vendors/{vendor}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models of a vendor
         * @description Chat models that the public price table knows at this address, by id, with their prices. The key may not allow all, and the vendor may have newer ones.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalProvidersVendorsVendorModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/providers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an LLM provider
         * @description Asks a model for a few tokens, without fallbacks and default members of the definition. It is a chat like any other: budgets count it, an execution of the project `provider-test` records it, and the audit log has it. 10 at once, then 6 a minute in a tenant.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalProvidersNameTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/providers/vendors/{vendor}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a vendor's key of the environment
         * @description Asks a model for a few tokens, without fallbacks and default members of the definition. It is a chat like any other: budgets count it, an execution of the project `provider-test` records it, and the audit log has it. 10 at once, then 6 a minute in a tenant.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalProvidersVendorsVendorTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/event-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find event names
         * @description The events that were recorded, last seen first.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalEventNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/event-properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the properties of an event
         * @description The property keys of the event with their types; none for an event that nobody has seen.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalEventProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/property-values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of a property
         * @description The most frequent values over all events of that name.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalPropertyValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a KPI
         * @description One number, a series or a value per group: the same question and the same answer as the MCP tool `aggregate_events`, which docs/mcp.md describes.
         *
         *     For portal users, with the token of their login.
         */
        post: operations["postPortalAggregate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/first-hour": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the steps of the first hour
         * @description Which of the first steps the tenant has taken, over whatever channel: an event, a call of an MCP tool, a question, a card. Cheap: pages ask every few seconds.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalFirstHour"];
        /**
         * Put the checklist of the first hour away
         * @description For the user who asks alone; false takes it out again.
         *
         *     For portal users, with the token of their login.
         */
        put: operations["putPortalFirstHour"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/sample-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the sample data
         * @description Whether the workspace has the sample data, and what belongs to it.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalSampleData"];
        put?: never;
        /**
         * Load the sample data
         * @description The story of a support desk: 30 days of events of an agent of their own, with metrics (`sample_...`), tabs and cards. All of it is loaded, or nothing.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalSampleData"];
        /**
         * Remove the sample data
         * @description Removes the events, metrics, tabs and cards that came with it, and nothing else.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalSampleData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tenant's settings
         * @description The time zone of the tenant, for how long it keeps events, and who needs a second factor.
         *
         *     For portal users, with the token of their login.
         */
        get: operations["getPortalSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the tenant's settings
         * @description Send only what changes. It holds for every key and user from the next request on; events past their retention are removed within the hour. `secondFactor` applies at the next login of each user; sessions stay.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        patch: operations["patchPortalSettings"];
        trace?: never;
    };
    "/api/v1/portal/login/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to log in
         * @description The enabled identity providers of a tenant and of the whole installation, for the login page. A tenant that does not exist is answered as one without identity providers.
         */
        get: operations["getPortalLoginSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/identity-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List identity providers
         * @description The identity providers of the tenant, by id, never with their secrets.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalIdentityProviders"];
        put?: never;
        /**
         * Create an identity provider
         * @description An OpenID Connect provider with which users of the tenant log in to the portal. Register its `redirectUri` at the provider, then test it. docs/sso.md has the steps for Google, Microsoft Entra, Okta, Keycloak and authentik.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalIdentityProviders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/identity-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an identity provider
         * @description All its members but the secret.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalIdentityProvidersId"];
        put?: never;
        post?: never;
        /**
         * Remove an identity provider
         * @description Users can no longer log in with this provider. Users and their sessions stay. The links between users and accounts of the provider are removed, and a new provider with the same id does not restore them.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        delete: operations["deletePortalIdentityProvidersId"];
        options?: never;
        head?: never;
        /**
         * Change an identity provider
         * @description Send only what changes; lists are replaced as a whole. A new `issuer` needs the `clientSecret`, too. It holds for logins from the next one on; sessions stay.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        patch: operations["patchPortalIdentityProvidersId"];
        trace?: never;
    };
    "/api/v1/portal/identity-providers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an identity provider
         * @description Sends requests to the provider: discovery, keys, and a code that does not exist, whose refusal tells whether client id and secret are right.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalIdentityProvidersIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get quotas and budgets
         * @description The tenant's limits with how much of each is used, and those of the keys that can be used: keys with limits first. The ETag is of the tenant's limits.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the tenant's quotas
         * @description Send only what changes; null removes a quota, 0 allows nothing. It applies within a second. Where there are several tenants, `agent-runtime tenants quota` does it: a tenant cannot lift the limits that its operator has set.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        patch: operations["patchPortalQuotas"];
        trace?: never;
    };
    "/api/v1/portal/keys/{id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a key's quotas
         * @description The key's own limits with how much of each is used. Those of the tenant apply as well.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalKeysIdQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a key's quotas
         * @description Send only what changes; null removes a quota, 0 allows nothing. It applies within a second.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        patch: operations["patchPortalKeysIdQuotas"];
        trace?: never;
    };
    "/api/v1/portal/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what chats used by day
         * @description Tokens or US dollars of the chats of the tenant or of one key, by day in the time zone of the tenant. Usage is counted from when the tenant or the key first has a budget, and kept for 100 days.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Who logged in, who changed or exported what in the tenant and what was refused, newest first, for the last 400 days.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Every matching line as NDJSON or CSV, oldest first. Sent as it is read; a client that takes nothing for 30 seconds is disconnected. The export itself becomes a line.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalAuditLogExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the tenant stores
         * @description Its events, and the sizes of its documents and messages.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/data/older-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count events that a retention would remove
         * @description How many events of the tenant are older than so many days. Nothing is removed.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        get: operations["getPortalDataOlderEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sizes of the stores
         * @description The bytes on disk of each store, what they have, and the free space of the disk.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        get: operations["getPortalStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a thread, an end user, or the whole tenant
         * @description For good. With `threadId` what concerns that conversation: its events, executions, reviews and assessments. With `userId` all conversations of that end user; where executions of other end users are recorded in a thread, only the executions of this one, with their reviews, assessments and events. With `tenant`, the name of your own tenant, everything of it, which only a SUPER_ADMIN may do: users, keys and sessions end with it. Backups made before still have it.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For portal users who are ADMIN or SUPER_ADMIN, with the token of their login.
         */
        post: operations["postPortalErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how a backup gets on
         * @description The backup that is being made for the portal, and how the last one ended.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        get: operations["getPortalBackup"];
        put?: never;
        /**
         * Make a backup
         * @description Copies everything, and answers at once with the address of a download: it works once, in the same session, and until three minutes after the copy is made. The file is that of `agent-runtime backup` with a passphrase, and has every secret of the installation.
         *
         *     Users with a second factor must have given it within ten minutes (`POST /api/v1/portal/me/step-up`); otherwise 403 with `error="insufficient_user_authentication"`.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        post: operations["postPortalBackup"];
        /**
         * Cancel the backup
         * @description Ends the backup that is being made, if there is one, and removes its copy.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        delete: operations["deletePortalBackup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/backup/{ticket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a backup
         * @description Waits until the copy is made, then streams the file. A client that leaves ends the backup. A client that takes nothing for 30 seconds is disconnected.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        get: operations["getPortalBackupTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what runs here
         * @description Versions, uptime, memory, nodes, and the last warnings and errors of the log.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        get: operations["getPortalSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/system/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the installation
         * @description Runs the checks of `agent-runtime doctor` within the server, one run at a time, for at most two minutes. Changes nothing.
         *
         *     For a SUPER_ADMIN of the only tenant of the installation, with the token of their login: of several tenants none may see or end what is of all.
         */
        post: operations["postPortalSystemDoctor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Answers as long as the process can answer at all.
         */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can it serve?
         * @description Asks every store; 503 when requests cannot be served. Nodes go on without ClickHouse: events are accepted, questions are 503.
         */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI 3.1 document of the API.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API reference
         * @description For clients whose `Accept` names `text/html`, the interactive API reference; for others, the page of `/docs/plain`.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/plain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API reference without scripts
         * @description The API as one page that loads nothing from elsewhere.
         */
        get: operations["getDocsPlain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description Figures in the text format of Prometheus. For the machine that the server runs on; for others with the token of `AGENT_RUNTIME_METRICS_TOKEN`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Model Context Protocol
         * @description Model Context Protocol over Streamable HTTP, see docs/mcp.md. Use an MCP client.
         *
         *     Scope: `mcp:read` for calls.
         */
        post: operations["postMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/server-card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Server Card
         * @description How programs reach the MCP endpoint (SEP-2127): its address, the protocol versions, the header of the key. No tools. Any origin may read it.
         */
        get: operations["getMcpServerCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/ai-catalog.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The AI Catalog
         * @description Leads from the domain to the Server Card. Any origin may read it.
         */
        get: operations["getAiCatalog"];
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
        AcceptInvitation: {
            /** @description What follows `#` in the link. */
            secret: string;
            /** @description 2 to 100 characters. */
            name: string;
            /** @description The password of the new user; left out where the tenant has switched password logins off. */
            password?: string;
            /**
             * @description `cookie` also sets the cookie `ar_session`, for pages of this server.
             * @enum {string}
             */
            session?: "token" | "cookie";
        };
        Agent: {
            /** @description What `agentId` names. */
            name: string;
            /**
             * Format: date-time
             * @description When it was created or first used.
             */
            createdAt: string;
            /** @description Id of the user who created or first used it; null where nobody is known. */
            createdBy: string | null;
        };
        AggregateAnswer: {
            value: number | null;
            numerator?: number;
            denominator?: number;
            parts?: {
                [key: string]: number | null;
            };
            previous?: {
                value: number | null;
                change: number | null;
                changeRatio: number | null;
                from: string;
                to: string;
            };
            series?: {
                bucket: string;
                /** @description Several keys give an object. null: absent. */
                group?: string | number | boolean | Record<string, never> | unknown[] | null;
                value: number | null;
                numerator?: number;
                denominator?: number;
            }[];
            groups?: {
                /** @description Several keys give an object. null: absent. */
                group: string | number | boolean | Record<string, never> | unknown[] | null;
                value: number | null;
                numerator?: number;
                denominator?: number;
                parts?: {
                    [key: string]: number | null;
                };
                previous?: {
                    value: number | null;
                    change: number | null;
                    changeRatio: number | null;
                };
            }[];
            annotations?: {
                at: string;
                text: string;
            }[];
            basis: components["schemas"]["Basis"];
            note?: string;
            truncated?: string;
        };
        AggregateEvents: {
            /** @description Default: the key's agent; "*": all. */
            agentId?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Included. ISO 8601, -24h, -7d, today, mtd, or a whole period: last_month, this_week, 2026-Q4. */
            dateFrom?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
            /** @description Needed by all but count and rate. */
            propertyKey?: string;
            /** @description rate: the part counted against all events of eventName. */
            numerator?: {
                eventName?: string;
                filters?: components["schemas"]["EventFilter"][];
            };
            /**
             * @description Gives a series.
             * @enum {string}
             */
            dateGrouping?: "hour" | "day" | "week" | "month" | "quarter" | "year";
            /** @description Gives groups; with dateGrouping a series each. */
            group_by?: string | string[];
            /** @description Top groups (default 20, in a series 10); the rest is "other". */
            limit?: number;
            /**
             * @description The same length before dateFrom, of groups too. "dateTo":"yesterday" makes whole days.
             * @enum {string}
             */
            compareTo?: "previous_period";
            /** @description Only events whose executionId was reviewed so; needs reviews:read. */
            review?: {
                rating?: ("good" | "bad" | "needs_improvement")[];
                status?: ("pending_review" | "in_progress" | "resolved" | "wont_fix")[];
                /** @description Any of them. */
                tags?: string[];
            };
            /** @description Receipt of an ingest: read your own writes. */
            waitFor?: string;
        };
        Agreement: {
            /** @description The name of the rubric. */
            rubric: string;
            /** @description The version whose answers are compared. */
            version: number;
            /** @description In the order of the rubric, without those of the type text. */
            questions: {
                /** @description The question. */
                id: string;
                /** @description Executions with answers of at least two people. */
                items: number;
                /** @description People who gave these answers. */
                assessors: number;
                /** @description Share of pairs of answers that are equal, averaged over the items; null without items. */
                raw: number | null;
                /** @description Agreement beyond chance: 1 is complete, 0 is chance; null with one item or one answer. */
                kappa: number | null;
                /** @description The lower end of the 95 % interval of kappa. */
                low: number | null;
                /** @description Its upper end. */
                high: number | null;
                /** @description The coefficient and the interval. cohen: the same two people answered all items; fleiss: others. quadratic: scales, where near answers agree in part. null where kappa is null. */
                method: ("cohen, bayesian-bootstrap" | "cohen-quadratic, bayesian-bootstrap" | "fleiss, bayesian-bootstrap" | "fleiss-quadratic, bayesian-bootstrap") | null;
            }[];
        };
        Alert: {
            id: string;
            title: string;
            metric?: string;
            question?: {
                [key: string]: unknown;
            };
            cardId?: string;
            condition: {
                /**
                 * @description The value is beyond a limit.
                 * @constant
                 */
                type: "threshold";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte";
                /** @description The limit. */
                value: number;
                /** @description The value at which the alert ends; default the limit. */
                clear?: number;
            } | {
                /**
                 * @description The value changed against the bucket before.
                 * @constant
                 */
                type: "change";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte";
                /** @description The change divided by the value before: -0.2 is a fall by a fifth. */
                ratio: number;
                /**
                 * @default previous_period
                 * @constant
                 */
                compareTo: "previous_period";
            } | {
                /**
                 * @description The value is unlike the median of the same times in earlier weeks.
                 * @constant
                 */
                type: "anomaly";
            } | {
                /**
                 * @description No event was counted.
                 * @constant
                 */
                type: "no_data";
            };
            every: string;
            timezone: string;
            /**
             * @description Language of messages; default en.
             * @enum {string}
             */
            language: "en" | "pt";
            /** @description What its maker was held to: it reads events within alone. Absent: all events. */
            limits?: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            }[];
            cooldown: number;
            /** @description Without secrets. */
            targets: ({
                /**
                 * @description A signed POST request, by the Standard Webhooks specification.
                 * @constant
                 */
                type: "webhook";
                /** @description Where requests are sent; without alerts:write, its origin and a short hash. */
                url: string;
            } | {
                /**
                 * @description An e-mail.
                 * @constant
                 */
                type: "email";
                /** @description E-mail addresses. */
                to: string[];
            } | {
                /**
                 * @description An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.
                 * @constant
                 */
                type: "slack";
                /** @description The origin and a short hash of the address, whose path is a secret. */
                url: string;
            })[];
            enabled: boolean;
            /** @description Why it was switched off, if no person did. */
            disabledReason?: string;
            /** @enum {string} */
            state: "ok" | "alerting" | "no_data" | "failing";
            lastCheck: {
                at: string;
                /** @description The start of what was checked. */
                bucket: string | null;
                value: number | null;
                /** @description The limit, the value before, or the median of earlier weeks. */
                comparedWith: number | null;
                /** @description The handle of the events behind the value: GET .../cases/:handle. */
                cases: string | null;
                /** @description Why the check failed. */
                error: string | null;
            } | null;
            nextCheckAt: string | null;
            createdAt: string;
            updatedAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
        };
        AlertChange: {
            id: string;
            at: string;
            /** @enum {string} */
            from: "ok" | "alerting" | "no_data" | "failing";
            /** @enum {string} */
            to: "ok" | "alerting" | "no_data" | "failing";
            /** @description The start of what was checked. */
            bucket: string | null;
            value: number | null;
            /** @description The limit, the value before, or the median of earlier weeks. */
            comparedWith: number | null;
            /** @description The handle of the events behind the value: GET .../cases/:handle. */
            cases: string | null;
            /** @description Why the check failed. */
            error: string | null;
            /** @description Whether a message was sent to the targets. */
            notified: boolean;
        };
        AlertQuestion: {
            /** @description Default: the key's agent; "*": all. */
            agentId?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
            /** @description Needed by all but count and rate. */
            propertyKey?: string;
            /** @description rate: the part counted against all events of eventName. */
            numerator?: {
                eventName?: string;
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Only events whose executionId was reviewed so; needs reviews:read. */
            review?: {
                rating?: ("good" | "bad" | "needs_improvement")[];
                status?: ("pending_review" | "in_progress" | "resolved" | "wont_fix")[];
                /** @description Any of them. */
                tags?: string[];
            };
            /**
             * @description The last complete hour, day, week or month is checked.
             * @default day
             * @enum {string}
             */
            dateGrouping?: "hour" | "day" | "week" | "month";
        };
        AlertTest: {
            /**
             * @description What a check finds now. The test does not change the state.
             * @enum {string}
             */
            state: "ok" | "alerting" | "no_data" | "failing";
            /** @description The start of what was checked. */
            bucket: string | null;
            value: number | null;
            /** @description The limit, the value before, or the median of earlier weeks. */
            comparedWith: number | null;
            /** @description The handle of the events behind the value: GET .../cases/:handle. */
            cases: string | null;
            /** @description Why the check failed. */
            error: string | null;
            /** @description The messages sent as a test. */
            deliveries: {
                id: string;
                target: string;
            }[];
        };
        Annotation: {
            id: string;
            text: string;
            at: string;
            createdAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
        };
        ApiKey: {
            /** @description The part between `ar_` and the second underscore. */
            id: string;
            /** @description Id of its tenant. */
            tenantId: string;
            /** @description The agent that the key is bound to; null: to none. */
            agentId: string | null;
            /** @description Shown as author of what is done with the key. */
            label: string;
            /** @description What the key may do; `*` is everything. */
            scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write" | "*")[];
            /** @description What the key is held to; left out: to nothing below the tenant. */
            limits?: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            };
            /** @description When the key expires; null: never. */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Id of the user who created it; null: the operator. */
            createdBy: string | null;
            /** @description The user who created it; null: the operator. */
            maker: components["schemas"]["KeyMaker"] | null;
            /** @description When the key was last used, to the minute; null: never. */
            lastUsedAt: string | null;
            /** @description When the key was revoked; null: it was not. */
            revokedAt: string | null;
            /** @description Until when the secret before the last rotation works, too; null: it does not. */
            formerSecretUntil: string | null;
        };
        AppliedConnector: {
            /** @description What calls name it by. */
            slug: string;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "created" | "changed" | "unchanged";
            /** @description Credentials that it lists and that are not stored yet. */
            missingCredentials: string[];
            /**
             * Format: date-time
             * @description When it was first applied.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ApproveMetric: {
            /** @description The version that was looked at. */
            version: number;
        };
        Assess: {
            /** @description Its name, for the newest version, or name@version. */
            rubric: string;
            /** @description By the id of the question: true or false, one of its choices, 1 to 5, or a text. Questions may be left out; null counts as left out. */
            answers: {
                [key: string]: boolean | number | string | null;
            };
            /** @description Whatever the questions do not ask. */
            comment?: string | null;
        };
        Assessment: {
            /** @description Made by the server, a UUID. */
            id: string;
            /** @description The execution that is assessed. */
            executionId: string;
            /** @description The name of the rubric. */
            rubric: string;
            /** @description The version of the rubric that was answered. */
            version: number;
            /** @description Who answered; it may change and delete the assessment. */
            assessor: {
                /**
                 * @description A person, an API key, or a program that judges.
                 * @enum {string}
                 */
                type: "user" | "key" | "judge";
                /** @description Of the user, the key or the judge. */
                id: string;
                /** @description E-mail of the user, label of the key or name of the judge, as it was then. */
                label: string;
            };
            /** @description By the id of the question; those that were left out are absent. */
            answers: {
                [key: string]: boolean | number | string;
            };
            /** @description null when there is none. */
            comment: string | null;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601; of the creation or the last change. */
            updatedAt: string;
        };
        AuditEntry: {
            /** @description Id of the line. */
            id: string;
            /**
             * Format: date-time
             * @description When it was done.
             */
            at: string;
            /** @description Who did it; for a failed login or a refused request, the name that was tried. */
            actor: {
                /**
                 * @description The command line, an API key or a portal user.
                 * @enum {string}
                 */
                kind: "operator" | "key" | "user";
                /** @description The id of the key or the user; null for the operator. */
                id: string | null;
                /** @description The label of the key or the e-mail of the user, as it was then. */
                label: string;
                /** @description The application that acted for the user, with an access token. */
                client?: string;
            };
            /** @description Noun and deed, for example `key.created`. */
            action: string;
            /** @description Id of what it was done to. */
            target: string | null;
            /** @description Facts of the action; `repeated` or `leftOut` where a line stands for several. */
            details: {
                [key: string]: unknown;
            };
            /** @description The client's address, of IPv6 its /64 network; null for the operator at the command line. */
            address: string | null;
            /** @description The `x-request-id` of the answer; null outside of a request. */
            requestId: string | null;
        };
        AuthorizationRequest: {
            /** @description The application that asks. */
            client: components["schemas"]["OAuthClient"];
            /** @description Where the answer goes: scheme and host of the redirect address. */
            redirectTo: string;
            /** @description The address that the application asks access to. */
            resource: string;
            /** @description Name of the tenant that it would have access to: yours. */
            tenant: string;
            /** @description What it asks for. */
            scopes: {
                /**
                 * @description A scope that the application asks for.
                 * @enum {string}
                 */
                scope: "mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write";
                /** @description False: your role lacks it, so you cannot allow it. */
                grantable: boolean;
            }[];
            /** @description What its newest grant of yours is held to, as a proposal; null: to nothing, or it has none. */
            limits: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            } | null;
            /** @description The days for which it is allowed if `days` is left out. */
            defaultDays: number;
            /** @description The most that you can allow. */
            maxDays: number;
            /**
             * Format: date-time
             * @description Until when it can be answered.
             */
            expiresAt: string;
        };
        BackupStatus: {
            /** @description Why this installation gives no backup here; null where it does. */
            refusal: string | null;
            /** @description The backup that is being made; null: none is. */
            current: {
                /**
                 * @description The data is being copied, waits for its download, or is being downloaded.
                 * @enum {string}
                 */
                state: "copying" | "ready" | "sending";
                /**
                 * Format: date-time
                 * @description When it was asked for.
                 */
                startedAt: string;
                /** @description Whether this session has asked for it. */
                isOwn: boolean;
                /** @description The bytes of the file so far. */
                sentBytes: number;
                /** @description Of `totalBytes`, those that the file has already. */
                packedBytes: number;
                /** @description The bytes to be packed; null while they are copied. */
                totalBytes: number | null;
            } | null;
            /** @description The last backup of the portal since the start; null: none was made. */
            last: {
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                endedAt: string;
                /**
                 * @description Sent to its end, cancelled, never fetched, or failed.
                 * @enum {string}
                 */
                outcome: "sent" | "cancelled" | "expired" | "failed";
                /** @description Why it failed. */
                message: string | null;
                /** @description The bytes that were sent. */
                bytes: number;
                /** @description The events that it has; null if it was not ready. */
                events: number | null;
            } | null;
        };
        Basis: {
            eventName: string;
            agentId: string | null;
            aggregation?: string;
            propertyKey?: string;
            numerator?: {
                [key: string]: unknown;
            };
            formula?: {
                [key: string]: unknown;
            };
            /** @description null: an approved metric was not used. */
            metric?: {
                name: string;
                version: number;
                /** @enum {string} */
                state: "proposed" | "approved" | "deprecated";
            } | null;
            filters: ({
                [key: string]: unknown;
            } | string)[];
            review?: {
                [key: string]: unknown;
            };
            segment?: {
                name: string;
                by: string;
                conditions: {
                    [key: string]: unknown;
                }[];
            };
            from: string | null;
            to: string | null;
            timezone: string;
            matchedEvents: number;
            lastEventAt: string | null;
            /** @description Handle of the events: for query_events. */
            cases?: string;
        };
        BegunBackup: {
            /** @description The path of the download: it works once, in this session. */
            url: string;
            /** @description The name of the file. */
            name: string;
        };
        CallMetadata: {
            /** @description The connector's slug. */
            connector: string;
            /** @description The resource's slug. */
            resource: string;
            /** @description Where it was called; null where there is no such environment. */
            environment: ("staging" | "production") | null;
            /** @description What the API answered; null when it did not. */
            status: number | null;
            /** @description Milliseconds, all attempts and the waiting between them. */
            duration: number;
            /** @description How often the API was asked. */
            attempts: number;
            /** @description Whether a mock answered. */
            mocked: boolean;
            /** @description Whether the same call may be made again without doing twice what it does; false where the outcome is not known. */
            retrySafe: boolean;
        };
        Card: {
            id: string;
            agentId: string;
            title: string;
            /** @enum {string} */
            cardType: "number" | "rate" | "line" | "bar" | "pie" | "table" | "funnel" | "gauge";
            config: {
                [key: string]: unknown;
            };
            gridLayout: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            sortOrder: number;
            tabId: string | null;
            idempotencyKey: string | null;
            createdAt: string;
            updatedAt: string;
        };
        CaseEvents: {
            events: components["schemas"]["Event"][];
            total: number;
            /** @description The 100 with the most events. */
            threads: {
                threadId: string;
                events: number;
                /** @description The newest 20 that were recorded with the thread. */
                executionIds: string[];
            }[];
            totalThreads: number;
            /** @description The ids that events name: the 100 with the most events. */
            executions: {
                executionId: string;
                events: number;
            }[];
            totalExecutions: number;
        };
        ChangeAccount: {
            /** @description The language of your pages: en or pt; null: that of the browser. */
            language: ("en" | "pt") | null;
        };
        ChangeFirstHour: {
            /** @description True puts the checklist away for you alone. */
            putAway: boolean;
        };
        ChangeIdentityProvider: {
            /** @description The name on the button of the login page: "Continue with <name>". */
            name?: string;
            /**
             * @description Whose product it is.
             * @enum {string}
             */
            preset?: "google" | "microsoft" | "okta" | "keycloak" | "authentik" | "other";
            /**
             * Format: uri
             * @description Where discovery begins: `<issuer>/.well-known/openid-configuration`, which must name the same issuer.
             */
            issuer?: string;
            /** @description The id of the client that was registered at the provider. */
            clientId?: string;
            /**
             * @description How the secret is sent; `auto`: in the body where the provider lists it, else as HTTP Basic.
             * @enum {string}
             */
            clientAuthentication?: "auto" | "post" | "basic";
            /** @description The scopes that are requested; `openid` is added. */
            scopes?: string[];
            /** @description Only people with an e-mail of one of these domains may log in; none: all. With Google, domains of Workspace. */
            allowedDomains?: string[];
            /** @description Microsoft Entra only: the directories (claim `tid`) that may log in. Needed with an issuer of several. */
            allowedDirectories?: string[];
            /** @description The claim with groups or roles, nested ones with dots (`realm_access.roles`); null: roles stay as they are. */
            roleClaim?: string | null;
            /** @description Roles by values of the claim, set at every login; of several the highest counts. */
            roleMapping?: {
                /** @description A value of the claim. */
                value: string;
                /**
                 * @description The role that it gives.
                 * @enum {string}
                 */
                role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            }[];
            /** @description The role of new users, and of those without a mapped value; null: they are refused. */
            defaultRole?: ("USER" | "VIEWER" | "HUB_USER") | null;
            /** @description Whether the first login makes a user. */
            createUsers?: boolean;
            /** @description Whether a first login may take an existing user of the same e-mail without `email_verified` and allowed domains. */
            linkByEmail?: boolean;
            /** @description Whether people may log in with it. */
            enabled?: boolean;
            /** @description Whether it may let MCP clients act for its people by identity assertions (ID-JAG), without asking them. */
            mcp?: boolean;
            /** @description No answer ever shows it; null: a public client, which PKCE alone protects. */
            clientSecret?: string | null;
        };
        ChartConfig: {
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
            /** @description Needed by all but count. */
            propertyKey?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
            /** @enum {string} */
            dateGrouping?: "hour" | "day" | "week" | "month" | "quarter" | "year";
            groupBy?: string | string[];
            /** @description Top groups; the rest is "other". */
            limit?: number;
        };
        ChatFacts: {
            /** @description The project that the request named. */
            projectId: string;
            /** @description The configured provider; null: the vendor, with the key of the environment. */
            providerName: string | null;
            /** @description Why the answer ended; null when it did not come to its end. */
            finishReason: ("stop" | "length" | "tool_calls" | "content_filter" | "other") | null;
            /** @description US dollars by the public prices; null when they are not known. */
            cost: number | null;
            /** @description Milliseconds from the request to the end. */
            latencyMs: number | null;
            /** @description Milliseconds from the request to the first content; null when none came. */
            timeToFirstTokenMs: number | null;
            /** @description The provider's own id of the request. */
            providerRequestId: string | null;
            /** @description Requests that were sent to providers. */
            attempts: number;
            /** @description Whether another than the one asked for answered. */
            fallback: boolean;
            /** @description Whether messages or output are not recorded whole, because they were too much. */
            truncated: boolean;
            /** @description Members of the request that the model does not take; `temperature: 2 -> 1` for a lowered one. */
            droppedParams: string[];
            /** @description Why it failed. */
            error: {
                /** @description refused, credential, rate_limited, unavailable, broken, timeout, shutdown, unrecorded or internal. */
                kind: string;
                /** @description What went wrong. */
                message: string;
                /** @description The provider's HTTP status. */
                status: number | null;
            } | null;
        };
        ChatMessage: {
            /**
             * @description Who speaks.
             * @enum {string}
             */
            role: "system" | "user" | "assistant" | "tool";
            /** @description Text, or parts; null only beside tool_calls. */
            content: string | components["schemas"]["ContentPart"][] | null;
            /** @description Calls of functions; only on assistant messages. */
            tool_calls?: {
                [key: string]: unknown;
            }[];
            /** @description The reasoning before an assistant message, for custom servers that want it back. */
            reasoning_content?: string;
            /** @description The call that a tool message answers. */
            tool_call_id?: string;
            /** @description The name of the tool, on tool messages. */
            name?: string;
        };
        ChatRequest: {
            /** @description Your project; recorded on the execution and its events. */
            projectId: string;
            /** @description The conversation that the execution belongs to. */
            threadId?: string | null;
            /** @description The end user it ran for, by the id that your application uses. */
            userId?: string | null;
            /** @description At most 50 tags of at most 100 characters; [] removes them. */
            tags?: string[] | null;
            /**
             * @description The API to use; custom: any server with Chat Completions.
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
            /** @description The model, by the name that the provider gives it. */
            model: string;
            /** @description The conversation so far. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description A provider configured with `providers apply`; custom needs one. */
            providerName?: string;
            /** @description Whether openai is asked by the Chat Completions API instead of the Responses API. */
            legacy?: boolean;
            /** @description System instructions; they come before the messages. */
            instructions?: string;
            /** @description 0 to 2. */
            temperature?: number;
            /** @description Maximum tokens of the answer. */
            maxTokens?: number;
            /** @description 0 to 1. */
            topP?: number;
            /** @description -2 to 2. */
            frequencyPenalty?: number;
            /** @description -2 to 2. */
            presencePenalty?: number;
            /** @description Texts before which the answer ends; by us where the provider cannot. */
            stop?: string[];
            /** @description Repeatable answers, if supported. */
            seed?: number;
            /** @description Functions that the model may call. */
            tools?: {
                /**
                 * @description Always `function`.
                 * @constant
                 */
                type: "function";
                /** @description The function. */
                function: {
                    /** @description What the model calls it. */
                    name: string;
                    /** @description What it does and when to call it. */
                    description?: string;
                    /** @description JSON Schema of its arguments. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Whether arguments must follow the schema exactly. */
                    strict?: boolean;
                };
            }[];
            /** @description What the answer is to look like. */
            responseFormat?: {
                /**
                 * @description Any text.
                 * @constant
                 */
                type: "text";
            } | {
                /**
                 * @description Some JSON object.
                 * @constant
                 */
                type: "json_object";
            } | {
                /**
                 * @description JSON that follows a schema.
                 * @constant
                 */
                type: "json_schema";
                /** @description The schema, as OpenAI takes it. */
                json_schema: {
                    /** @description What the schema is called. */
                    name: string;
                    /** @description What it is for. */
                    description?: string;
                    /** @description The JSON Schema. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description Whether the answer must follow it exactly. */
                    strict?: boolean;
                };
            };
            /** @description Extended reasoning. */
            thinking?: {
                /**
                 * @description enabled: within a budget; adaptive: as much as the model sees fit; disabled: none.
                 * @enum {string}
                 */
                type: "enabled" | "adaptive" | "disabled";
                /** @description Tokens it may take, with enabled. */
                budgetTokens?: number;
            };
            /** @description Tools that the provider itself runs. */
            serverTools?: ("web_search" | "code_execution")[];
        };
        Circuit: {
            /**
             * @description The environment that the circuit is of.
             * @enum {string}
             */
            environment: "staging" | "production";
            /**
             * @description Open: calls fail without an attempt. Half-open: the next call is the probe.
             * @enum {string}
             */
            state: "closed" | "open" | "half-open";
            /** @description Consecutive failed attempts. */
            failures: number;
            /** @description Milliseconds until the probe; 0 unless open. */
            retryInMs: number;
        };
        Column: {
            key: string;
            /** @enum {string} */
            type: "string" | "number" | "boolean" | "object" | "array" | "datetime" | "mixed";
        };
        Connector: {
            /** @description The whole definition, in the form that a PUT takes; without secrets. */
            definition: {
                /**
                 * @description The version of this format.
                 * @default 1
                 * @constant
                 */
                version: 1;
                /** @description What calls name it by. */
                slug: string;
                /** @description For people; calls may use it, too. */
                name: string;
                /** @description What it is for. */
                description?: string;
                /** @description Where it is reached. */
                environments: {
                    /** @description For trying. */
                    staging?: {
                        /** @description What the paths of resources follow: https://api.example.com/v1 for example. */
                        baseUrl: string;
                        /** @description What it is used with unless a call names a credential. */
                        secret?: {
                            /** @description The name of a stored credential. */
                            credential: string;
                        } | {
                            /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                            env: string;
                        };
                        /** @description Replaces `auth` of the connector. */
                        auth?: {
                            /**
                             * @description Nobody is asked who calls.
                             * @constant
                             */
                            type: "none";
                        } | {
                            /**
                             * @description A key in a header or in the query.
                             * @constant
                             */
                            type: "apiKey";
                            /**
                             * @description Where it is sent.
                             * @enum {string}
                             */
                            in: "header" | "query";
                            /** @description The name of the header or of the query parameter. */
                            name: string;
                            /** @description Precedes the key and a space: `Token`, for example. */
                            prefix?: string;
                        } | {
                            /**
                             * @description User and password, as HTTP has it.
                             * @constant
                             */
                            type: "basic";
                            /** @description The client's id; by default the username of the credential. */
                            username?: string;
                        } | {
                            /**
                             * @description A token in the header Authorization.
                             * @constant
                             */
                            type: "bearer";
                        } | {
                            /**
                             * @description Tokens of an authorization server.
                             * @constant
                             */
                            type: "oauth2";
                            /** @description Where tokens are asked for, with the grant client_credentials. */
                            tokenUrl: string;
                            /** @description The client's id; by default the username of the credential. */
                            clientId?: string;
                            /**
                             * @description The scopes that are requested.
                             * @default []
                             */
                            scopes: string[];
                            /** @description The audience, for servers that require one. */
                            audience?: string;
                            /**
                             * @description How the client says who it is: HTTP Basic, or members of the body.
                             * @default basic
                             * @enum {string}
                             */
                            clientAuthentication: "basic" | "body";
                        };
                        /** @description Sent beside the headers of the connector. */
                        headers?: {
                            [key: string]: string | ({
                                /** @description The name of a stored credential. */
                                credential: string;
                            } | {
                                /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                                env: string;
                            });
                        };
                    };
                    /** @description For real. */
                    production?: {
                        /** @description What the paths of resources follow: https://api.example.com/v1 for example. */
                        baseUrl: string;
                        /** @description What it is used with unless a call names a credential. */
                        secret?: {
                            /** @description The name of a stored credential. */
                            credential: string;
                        } | {
                            /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                            env: string;
                        };
                        /** @description Replaces `auth` of the connector. */
                        auth?: {
                            /**
                             * @description Nobody is asked who calls.
                             * @constant
                             */
                            type: "none";
                        } | {
                            /**
                             * @description A key in a header or in the query.
                             * @constant
                             */
                            type: "apiKey";
                            /**
                             * @description Where it is sent.
                             * @enum {string}
                             */
                            in: "header" | "query";
                            /** @description The name of the header or of the query parameter. */
                            name: string;
                            /** @description Precedes the key and a space: `Token`, for example. */
                            prefix?: string;
                        } | {
                            /**
                             * @description User and password, as HTTP has it.
                             * @constant
                             */
                            type: "basic";
                            /** @description The client's id; by default the username of the credential. */
                            username?: string;
                        } | {
                            /**
                             * @description A token in the header Authorization.
                             * @constant
                             */
                            type: "bearer";
                        } | {
                            /**
                             * @description Tokens of an authorization server.
                             * @constant
                             */
                            type: "oauth2";
                            /** @description Where tokens are asked for, with the grant client_credentials. */
                            tokenUrl: string;
                            /** @description The client's id; by default the username of the credential. */
                            clientId?: string;
                            /**
                             * @description The scopes that are requested.
                             * @default []
                             */
                            scopes: string[];
                            /** @description The audience, for servers that require one. */
                            audience?: string;
                            /**
                             * @description How the client says who it is: HTTP Basic, or members of the body.
                             * @default basic
                             * @enum {string}
                             */
                            clientAuthentication: "basic" | "body";
                        };
                        /** @description Sent beside the headers of the connector. */
                        headers?: {
                            [key: string]: string | ({
                                /** @description The name of a stored credential. */
                                credential: string;
                            } | {
                                /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                                env: string;
                            });
                        };
                    };
                };
                /**
                 * @description For calls that name none, where the server has no default.
                 * @enum {string}
                 */
                defaultEnvironment?: "staging" | "production";
                /**
                 * @description How it wants to know who calls.
                 * @default {
                 *       "type": "none"
                 *     }
                 */
                auth: {
                    /**
                     * @description Nobody is asked who calls.
                     * @constant
                     */
                    type: "none";
                } | {
                    /**
                     * @description A key in a header or in the query.
                     * @constant
                     */
                    type: "apiKey";
                    /**
                     * @description Where it is sent.
                     * @enum {string}
                     */
                    in: "header" | "query";
                    /** @description The name of the header or of the query parameter. */
                    name: string;
                    /** @description Precedes the key and a space: `Token`, for example. */
                    prefix?: string;
                } | {
                    /**
                     * @description User and password, as HTTP has it.
                     * @constant
                     */
                    type: "basic";
                    /** @description The client's id; by default the username of the credential. */
                    username?: string;
                } | {
                    /**
                     * @description A token in the header Authorization.
                     * @constant
                     */
                    type: "bearer";
                } | {
                    /**
                     * @description Tokens of an authorization server.
                     * @constant
                     */
                    type: "oauth2";
                    /** @description Where tokens are asked for, with the grant client_credentials. */
                    tokenUrl: string;
                    /** @description The client's id; by default the username of the credential. */
                    clientId?: string;
                    /**
                     * @description The scopes that are requested.
                     * @default []
                     */
                    scopes: string[];
                    /** @description The audience, for servers that require one. */
                    audience?: string;
                    /**
                     * @description How the client says who it is: HTTP Basic, or members of the body.
                     * @default basic
                     * @enum {string}
                     */
                    clientAuthentication: "basic" | "body";
                };
                /**
                 * @description The stored credentials that may be used with it.
                 * @default []
                 */
                credentials: string[];
                /**
                 * @description Sent with every request.
                 * @default {}
                 */
                headers: {
                    [key: string]: string | ({
                        /** @description The name of a stored credential. */
                        credential: string;
                    } | {
                        /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                        env: string;
                    });
                };
                /**
                 * @description Milliseconds that a call may take, all its attempts together.
                 * @default 30000
                 */
                timeoutMs: number;
                /**
                 * @description The most of an answer, decompressed.
                 * @default 5242880
                 */
                maxResponseBytes: number;
                /**
                 * @description Calls of one environment at once; as many more may wait.
                 * @default 64
                 */
                maxConcurrent: number;
                /** @description When a call is tried again, where that is safe. */
                retry: {
                    /**
                     * @description In all; 1: none again.
                     * @default 3
                     */
                    attempts: number;
                    /**
                     * @description Answers that are worth another attempt.
                     * @default [
                     *       429,
                     *       502,
                     *       503,
                     *       504
                     *     ]
                     */
                    statuses: number[];
                };
                /**
                 * @description Whether redirects of GET and HEAD are followed, three at most and within the same origin.
                 * @default false
                 */
                followRedirects: boolean;
                /**
                 * @description Networks that are not public and may be reached: 10.1.0.0/16 for example. From the operator's command line alone.
                 * @default []
                 */
                allowPrivateNetworks: string[];
                /** @description JSON Schemas that others refer to as #/schemas/NAME. */
                schemas?: {
                    [key: string]: unknown;
                };
                /** @description What can be called, by slug. */
                resources: {
                    [key: string]: {
                        /** @description What it does, for people and models. */
                        description?: string;
                        /**
                         * @description The HTTP method.
                         * @enum {string}
                         */
                        method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @description What follows the base URL; {name} stands for a parameter. */
                        path: string;
                        /**
                         * @description The parameters by place. A place without a schema takes anything.
                         * @default {}
                         */
                        parameters: {
                            /** @description JSON Schema of an object: those in braces in the path. */
                            path?: unknown;
                            /** @description JSON Schema of an object. */
                            query?: unknown;
                            /** @description JSON Schema of an object; names in any case. */
                            headers?: unknown;
                            /** @description JSON Schema of the body. */
                            body?: unknown;
                        };
                        /** @description How lists and objects are written in the path, by parameter; default simple. */
                        pathStyles?: {
                            [key: string]: "simple" | "simpleExploded" | "json" | "label" | "labelExploded" | "matrix" | "matrixExploded";
                        };
                        /** @description How lists and objects are written in the query, by parameter; default form (`a=1&a=2`), deepObject for objects. */
                        queryStyles?: {
                            [key: string]: "form" | "spread" | "comma" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "brackets" | "json";
                        };
                        /** @description How lists and objects are written in headers, by parameter; default simple. */
                        headerStyles?: {
                            [key: string]: "simple" | "simpleExploded" | "json";
                        };
                        /** @description How the members of a form are written: lists repeat and objects are JSON by default. Without this record, deepObject holds for all. */
                        formStyles?: {
                            [key: string]: "form" | "spread" | "comma" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "brackets" | "json";
                        };
                        /** @description Parameters of the query and members of a form whose reserved characters are not encoded. */
                        allowReserved?: string[];
                        /**
                         * @description What the body is sent as; form and multipart: as HTML forms are.
                         * @default json
                         * @enum {string}
                         */
                        bodyType: "json" | "form" | "multipart";
                        /** @description Media types of members of a multipart body. Without: text/plain, and JSON for objects. */
                        partTypes?: {
                            [key: string]: string;
                        };
                        /** @description What the body says that it is. Without: application/json or that of a form. */
                        contentType?: string;
                        /** @description Whether the body may be left out where its schema requires something. Without: not. */
                        bodyOptional?: boolean;
                        /** @description Whether calling twice does no more than calling once. Without: by the method. */
                        idempotent?: boolean;
                        /** @description Replaces `timeoutMs` of the connector. */
                        timeoutMs?: number;
                        /** @description What a call with `useMock` is answered with. */
                        mock?: {
                            /**
                             * @description The status that is told.
                             * @default 200
                             */
                            status: number;
                            /** @description What is answered as data. */
                            body?: unknown;
                        };
                        /** @description What a failure carries as data. */
                        fallbackResponse?: unknown;
                        /**
                         * @description Whether MCP clients see it as a tool.
                         * @default false
                         */
                        exposeAsTool: boolean;
                    };
                };
            };
            /**
             * Format: date-time
             * @description When it was first applied.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ConnectorSummary: {
            /** @description What calls name it by. */
            slug: string;
            /** @description The name for people; calls may use it as well. */
            name: string;
            /** @description The environments of the connector. */
            environments: ("staging" | "production")[];
            /** @description The hosts of its environments. */
            hosts: string[];
            /** @description The stored credentials that it may use. */
            credentials: string[];
            /** @description How many resources it has. */
            resources: number;
            /** @description How many of them MCP clients see as tools. */
            tools: number;
            /**
             * Format: date-time
             * @description When it was first applied.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ConnectorTool: {
            /** @description The resource's slug. */
            resource: string;
            /** @description As `tools/list` shows it. */
            tool: {
                /** @description The name that a call has. */
                name: string;
                /** @description For people. */
                title: string;
                /** @description For the model. */
                description: string;
                /** @description The JSON Schema of the arguments. */
                inputSchema: {
                    [key: string]: unknown;
                };
                /** @description Hints on what a call does. */
                annotations: {
                    [key: string]: boolean;
                };
            };
        };
        ContentPart: {
            /**
             * @description Text.
             * @constant
             */
            type: "text";
            /** @description The text. */
            text: string;
        } | {
            /**
             * @description An image.
             * @constant
             */
            type: "image_url";
            /** @description Where it is. */
            image_url: {
                /** @description An address or a data: URL. */
                url: string;
                /**
                 * @description Level of detail.
                 * @enum {string}
                 */
                detail?: "auto" | "low" | "high";
            };
        } | {
            /**
             * @description A file.
             * @constant
             */
            type: "file";
            /** @description What is in it. */
            file: {
                /** @description The name of the file. */
                filename: string;
                /** @description A data: URL, or base64. */
                file_data: string;
            };
        };
        CreateAlert: {
            title: string;
            /** @description A metric, by days. For other buckets: question. */
            metric?: string;
            question?: components["schemas"]["AlertQuestion"];
            /** @description A dashboard card with one number or one line. */
            cardId?: string;
            condition: {
                /**
                 * @description The value is beyond a limit.
                 * @constant
                 */
                type: "threshold";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte";
                /** @description The limit. */
                value: number;
                /** @description The value at which the alert ends; default the limit. */
                clear?: number;
            } | {
                /**
                 * @description The value changed against the bucket before.
                 * @constant
                 */
                type: "change";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte";
                /** @description The change divided by the value before: -0.2 is a fall by a fifth. */
                ratio: number;
                /**
                 * @default previous_period
                 * @constant
                 */
                compareTo?: "previous_period";
            } | {
                /**
                 * @description The value is unlike the median of the same times in earlier weeks.
                 * @constant
                 */
                type: "anomaly";
            } | {
                /**
                 * @description No event was counted.
                 * @constant
                 */
                type: "no_data";
            };
            /** @description When to check; a cron expression of 5 fields; default "5,20,35,50 * * * *". */
            every?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /**
             * @description Language of messages; default en.
             * @enum {string}
             */
            language?: "en" | "pt";
            /** @description Seconds after a message about a problem in which only its end is sent; default 3600. */
            cooldown?: number;
            /** @description Where messages are sent: webhooks, Slack-compatible URLs and e-mail addresses. */
            targets?: ({
                /**
                 * @description A signed POST request, by the Standard Webhooks specification.
                 * @constant
                 */
                type: "webhook";
                /** @description Where requests are sent; http or https. */
                url: string;
                /** @description `whsec_` and base64: signs the requests. Without one, one is made, and shown once. */
                secret?: string;
            } | {
                /**
                 * @description An e-mail.
                 * @constant
                 */
                type: "email";
                /** @description 1 to 20 e-mail addresses. */
                to: string[];
            } | {
                /**
                 * @description An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.
                 * @constant
                 */
                type: "slack";
                /** @description The URL of the incoming webhook; it is a secret. */
                url: string;
            })[];
            /** @description Default true. */
            enabled?: boolean;
        };
        CreateAnnotation: {
            /** @description Such as "Release 2.3". */
            text: string;
            /**
             * Format: date-time
             * @description When it happened; default now.
             */
            at?: string;
        };
        CreateDigest: {
            title: string;
            /** @description A dashboard: its first 20 cards. */
            tabId?: string;
            /** @description Cards in this order. */
            cardIds?: string[];
            /** @description When to send; default "0 8 * * 1". A cron expression of 5 fields. */
            every?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /**
             * @description Language of messages; default en.
             * @enum {string}
             */
            language?: "en" | "pt";
            /** @description Where messages are sent: webhooks, Slack-compatible URLs and e-mail addresses. */
            targets?: ({
                /**
                 * @description A signed POST request, by the Standard Webhooks specification.
                 * @constant
                 */
                type: "webhook";
                /** @description Where requests are sent; http or https. */
                url: string;
                /** @description `whsec_` and base64: signs the requests. Without one, one is made, and shown once. */
                secret?: string;
            } | {
                /**
                 * @description An e-mail.
                 * @constant
                 */
                type: "email";
                /** @description 1 to 20 e-mail addresses. */
                to: string[];
            } | {
                /**
                 * @description An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.
                 * @constant
                 */
                type: "slack";
                /** @description The URL of the incoming webhook; it is a secret. */
                url: string;
            })[];
            /** @description Default true. */
            enabled?: boolean;
        };
        CreateIdentityProvider: {
            /** @description Part of its redirect URI. */
            id: string;
            /** @description The name on the button of the login page: "Continue with <name>". */
            name: string;
            /**
             * @description Whose product it is.
             * @enum {string}
             */
            preset: "google" | "microsoft" | "okta" | "keycloak" | "authentik" | "other";
            /**
             * Format: uri
             * @description Where discovery begins: `<issuer>/.well-known/openid-configuration`, which must name the same issuer.
             */
            issuer: string;
            /** @description The id of the client that was registered at the provider. */
            clientId: string;
            /**
             * @description How the secret is sent; `auto`: in the body where the provider lists it, else as HTTP Basic.
             * @default auto
             * @enum {string}
             */
            clientAuthentication?: "auto" | "post" | "basic";
            /**
             * @description The scopes that are requested; `openid` is added.
             * @default [
             *       "openid",
             *       "email",
             *       "profile"
             *     ]
             */
            scopes?: string[];
            /**
             * @description Only people with an e-mail of one of these domains may log in; none: all. With Google, domains of Workspace.
             * @default []
             */
            allowedDomains?: string[];
            /**
             * @description Microsoft Entra only: the directories (claim `tid`) that may log in. Needed with an issuer of several.
             * @default []
             */
            allowedDirectories?: string[];
            /**
             * @description The claim with groups or roles, nested ones with dots (`realm_access.roles`); null: roles stay as they are.
             * @default null
             */
            roleClaim?: string | null;
            /**
             * @description Roles by values of the claim, set at every login; of several the highest counts.
             * @default []
             */
            roleMapping?: {
                /** @description A value of the claim. */
                value: string;
                /**
                 * @description The role that it gives.
                 * @enum {string}
                 */
                role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            }[];
            /**
             * @description The role of new users, and of those without a mapped value; null: they are refused.
             * @default null
             */
            defaultRole?: ("USER" | "VIEWER" | "HUB_USER") | null;
            /**
             * @description Whether the first login makes a user.
             * @default false
             */
            createUsers?: boolean;
            /**
             * @description Whether a first login may take an existing user of the same e-mail without `email_verified` and allowed domains.
             * @default false
             */
            linkByEmail?: boolean;
            /**
             * @description Whether people may log in with it.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Whether it may let MCP clients act for its people by identity assertions (ID-JAG), without asking them.
             * @default false
             */
            mcp?: boolean;
            /**
             * @description No answer ever shows it; null: a public client, which PKCE alone protects.
             * @default null
             */
            clientSecret?: string | null;
        };
        CreateMetric: {
            name: string;
            /** @description Such as Resolution rate. */
            title: string;
            /** @description What it means, and what it leaves out. */
            description?: string;
            /** @description Other names that people use for it. */
            synonyms?: string[];
            /** @description Such as USD, minutes or %. */
            unit?: string;
            /** @description How the value is written. Its members replace those of the metric. */
            format?: {
                prefix?: string;
                suffix?: string;
                decimals?: number;
                /** @description Writes 0.25 as 25%, as a rate is by default. */
                percent?: boolean;
            };
            /**
             * @description Whether a rise or a fall is good.
             * @default none
             * @enum {string}
             */
            goodDirection?: "up" | "down" | "none";
            formula: {
                /** @description + - * /, parentheses, numbers and names of parts, such as "resolved / started". */
                expression: string;
                parts: {
                    [key: string]: {
                        eventName: string;
                        /** @enum {string} */
                        aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
                        /** @description Needed by all but count. */
                        propertyKey?: string;
                        filters?: components["schemas"]["EventFilter"][];
                    };
                };
            } | {
                eventName: string;
                /** @enum {string} */
                aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
                /** @description Needed by all but count and rate. */
                propertyKey?: string;
                /** @description rate: the part counted against all events of eventName. */
                numerator?: {
                    eventName?: string;
                    filters?: components["schemas"]["EventFilter"][];
                };
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description Who answers questions about it. */
            owner?: string;
        };
        CreateQueue: {
            name: string;
            /** @description Such as Bad outcomes. */
            title?: string;
            /**
             * @description As of the list of executions. What an execution is when it enters the queue counts.
             * @default {}
             */
            filters?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this conversation. */
                threadId?: string;
                /** @description Only of this end user. */
                userId?: string;
                /** @description Only with this name. */
                name?: string;
                /** @description Only of this provider. */
                provider?: string;
                /** @description Only of this model. */
                model?: string;
                /**
                 * @description Only with this status.
                 * @enum {string}
                 */
                status?: "running" | "completed" | "failed" | "cancelled";
                /** @description Only with this tag. */
                tag?: string;
                /**
                 * @description Only with a step of this kind.
                 * @enum {string}
                 */
                kind?: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description Only with a review, or only without one. */
                hasReview?: boolean;
                /** @description The same as hasReview. */
                reviewed?: boolean;
                /**
                 * @description Only with a review of this rating.
                 * @enum {string}
                 */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only with an assessment, or only without one. */
                hasAssessment?: boolean;
                /** @description Only of at least so many US dollars. */
                minCost?: number;
                /** @description Only of at most so many US dollars. */
                maxCost?: number;
                /** @description Only of at least so many milliseconds. */
                minLatencyMs?: number;
                /** @description Only of at most so many milliseconds. */
                maxLatencyMs?: number;
                /** @description Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded. */
                dateFrom?: string;
                /** @description Started before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Words of messages and output, all of them, by their stems as in reviews. Words of the last second may be missing, and those beyond the first 200,000 characters of an execution. */
                search?: string;
            };
            /** @description The share of the matching executions that enters, such as 0.1. Always the same ones. */
            share?: number;
            /** @description Only executions in whose thread such an event followed. They may enter a few seconds after it. */
            outcome?: {
                eventName: string;
                /** @description As in queries of events. */
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description The name of the rubric that assessors answer. */
            rubric?: string;
            /**
             * @description An item is done when so many people are done with it.
             * @default 1
             */
            assessors?: number;
            /** @description The users who may have items. Default: everybody with the scope. */
            userIds?: string[];
        };
        CreateReview: {
            /** @description Default: the key's agent, else that of the recorded execution. */
            agentId?: string;
            /**
             * @description How good the outcome was.
             * @enum {string}
             */
            rating: "good" | "bad" | "needs_improvement";
            /** @description At least 10 characters. */
            comment: string;
            /**
             * @description How soon it matters.
             * @default medium
             * @enum {string}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /** @description At most 50 tags of at most 100 characters. */
            tags?: string[];
        };
        CreateRubric: {
            /** @description It never changes. */
            name: string;
            /** @description Such as Quality of answers. */
            title: string;
            /** @description In the order in which they are asked; each has an id of its own. */
            questions: {
                /** @description Names the question in answers. */
                id: string;
                /** @description The question as people read it. */
                text: string;
                /**
                 * @description boolean: yes or no. choice: one of `choices`. scale: 1 to 5. text: free text.
                 * @enum {string}
                 */
                type: "boolean" | "choice" | "scale" | "text";
                /** @description Only of a choice, which needs them. */
                choices?: string[];
                /** @description How to answer it. */
                guidance?: string;
            }[];
        };
        CreateSegment: {
            name: string;
            /** @description Such as Repeat buyers. */
            title?: string;
            /** @description Whom it holds, and whom it leaves out. */
            description?: string;
            /** @description Whose events are counted: threadId, or a property key such as customer. */
            by: string;
            /** @description All must hold. */
            conditions: {
                eventName: string;
                filters?: components["schemas"]["EventFilter"][];
                /** @description Events that match; default 1. */
                atLeast?: number;
                /** @description Included, as in events/query, in the time zone and at the time of the question. */
                dateFrom?: string;
                /** @description Not included, but a day or period is included whole. */
                dateTo?: string;
            }[];
        };
        CreateTerm: {
            /** @description Such as churn. */
            term: string;
            definition: string;
            /** @description Other names that people use for it. */
            synonyms?: string[];
            /** @description The metric that it means. */
            metric?: string;
        };
        CreateUser: {
            /**
             * Format: email
             * @description Unique within the tenant, in whatever case.
             */
            email: string;
            /** @description 2 to 100 characters. */
            name: string;
            /**
             * @description What the user may do within the tenant: docs/users.md.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /**
             * @description International or national.
             * @default null
             */
            phone?: string | null;
            /**
             * @description The address of a picture, at most 500 characters.
             * @default null
             */
            avatarUrl?: string | null;
            /** @description The password; without one, the user cannot log in by password until one is set. */
            password?: string;
            /**
             * @description What an identity provider leaves here.
             * @default {}
             */
            metadata?: {
                /** @description The id of the user at the identity provider. */
                idp_user_id?: string;
                /** @description Whether the identity provider created the user. */
                idp_created?: boolean;
                /** @description Whether the user was invited. */
                invite_sent?: boolean;
            };
        };
        Credential: {
            /** @description What definitions and calls name it by. */
            name: string;
            /** @description A user's name or a client's id; null: it has none. */
            username: string | null;
            /** @description The hosts that it may be sent to. */
            hosts: string[];
            /** @description The slugs of the connectors that list it. */
            connectors: string[];
            /**
             * Format: date-time
             * @description When it was first set.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last set.
             */
            updatedAt: string;
            /** @description When a call of a connector last took it, to the minute; null: none has. */
            lastUsedAt: string | null;
        };
        DashboardChange: {
            id: string;
            at: string;
            /** @enum {string} */
            kind: "card" | "tab";
            /** @description Id of the card or tab. */
            itemId: string;
            agentId: string;
            /** @description Of the card or tab, after the change. */
            title: string;
            /** @enum {string} */
            action: "created" | "changed" | "deleted";
            by: {
                /**
                 * @description The credential.
                 * @enum {string}
                 */
                kind: "key" | "user" | "grant";
                id: string;
                /** @description Label of the key or e-mail of the user, as it was then. */
                label: string;
                /** @description The application that acted for the user. */
                client: string | null;
                /** @description The user, or the maker of the key. */
                userId: string | null;
            };
            tool: string;
            /** @description The agent's reason, in its own words. */
            intent: string | null;
            /**
             * @description Only a `current` change can be undone.
             * @enum {string}
             */
            state: "current" | "superseded" | "undone";
            undoneAt: string | null;
            undoneBy: string | null;
        };
        DashboardLink: {
            /** @description Id of the link. */
            id: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description The label of the credential that made it. */
            createdBy: string;
            /** @description When it expires; null: never. */
            expiresAt: string | null;
            /** @description When it was last used, to a minute; null: never. */
            lastUsedAt: string | null;
            /** @description False when it has expired, or while its maker is deactivated or may not share: it opens nothing. */
            valid: boolean;
        };
        Delivery: {
            /** @description Webhooks get it as webhook-id. */
            id: string;
            source: {
                /** @enum {string} */
                kind: "alert" | "digest";
                id: string;
            };
            type: string;
            title: string;
            targetType: string;
            target: string;
            /**
             * @description dead: given up after all attempts.
             * @enum {string}
             */
            state: "waiting" | "sent" | "dead";
            attempts: number;
            /** @description The error of the last attempt. */
            error: string | null;
            createdAt: string;
            nextAttemptAt: string | null;
            finishedAt: string | null;
        };
        DescribedInvitation: {
            /** @description Who is invited. */
            email: string;
            /**
             * @description The role of the new user.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /** @description Where to. */
            tenant: {
                /** @description Its id. */
                id: string;
                /** @description Its name. */
                name: string;
            };
            /** @description Who has invited. */
            invitedBy: {
                /** @description The name of the person. */
                name: string;
                /** @description The e-mail address. */
                email: string;
            };
            /**
             * Format: date-time
             * @description Until when the link is valid: seven days from its making.
             */
            expiresAt: string;
            /** @description False: the user logs in with an identity provider of the tenant, and has no password. */
            passwordLogin: boolean;
        };
        Digest: {
            id: string;
            title: string;
            tabId?: string;
            cardIds?: string[];
            every: string;
            timezone: string;
            /**
             * @description Language of messages; default en.
             * @enum {string}
             */
            language: "en" | "pt";
            /** @description What its maker was held to: it reads events within alone. Absent: all events. */
            limits?: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            }[];
            /** @description Without secrets. */
            targets: ({
                /**
                 * @description A signed POST request, by the Standard Webhooks specification.
                 * @constant
                 */
                type: "webhook";
                /** @description Where requests are sent; without alerts:write, its origin and a short hash. */
                url: string;
            } | {
                /**
                 * @description An e-mail.
                 * @constant
                 */
                type: "email";
                /** @description E-mail addresses. */
                to: string[];
            } | {
                /**
                 * @description An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.
                 * @constant
                 */
                type: "slack";
                /** @description The origin and a short hash of the address, whose path is a secret. */
                url: string;
            })[];
            enabled: boolean;
            /** @description Why it was switched off, if no person did. */
            disabledReason?: string;
            lastSent: {
                at: string;
                error: string | null;
            } | null;
            nextAt: string | null;
            createdAt: string;
            updatedAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
        };
        DiscoveredEvent: {
            /** @description Name of the event. */
            eventName: string;
            /** @description The number of events. */
            count: number;
            /**
             * Format: date-time
             * @description The earliest of the events' own times.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description The latest of them.
             */
            lastSeen: string;
            /** @description The agents that it comes from. */
            agents: string[];
        };
        DiscoveredProperty: {
            /** @description The key as queries name it. */
            key: string;
            /** @description string, number, boolean, array or object; several are joined with |. */
            type: string;
        };
        DoctorReport: {
            /** @description Whether nothing has failed. */
            ok: boolean;
            /**
             * Format: date-time
             * @description When the checks began.
             */
            checkedAt: string;
            /** @description In the order of the checks. */
            findings: {
                /** @description What was checked. */
                check: string;
                /**
                 * @description How it is.
                 * @enum {string}
                 */
                status: "ok" | "warning" | "failed";
                /** @description What was found, and the remedy. */
                message: string;
            }[];
        };
        Document: {
            /** @description Names the file, also a CSV of many rows. */
            documentId: string;
            /** @description The name of the uploaded file. */
            name: string;
            /**
             * @description The format as which it was read.
             * @enum {string}
             */
            format: "pdf" | "docx" | "txt" | "md" | "json" | "csv";
            /** @description Bytes of the file. */
            size: number;
            /** @description The number of chunks that it was cut into. */
            chunks: number;
            /** @description The sourceId of its metadata; the next file with the same one replaces it. */
            sourceId: string | null;
            /** @description The metadata that was sent. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the file was accepted.
             */
            createdAt: string;
        };
        Erased: {
            /** @description The thread. Null beside a userId of null: the whole tenant. */
            threadId: string | null;
            /** @description The end user. */
            userId: string | null;
            /** @description The number of erased items by their kind. */
            erased: {
                [key: string]: number;
            };
            /** @description An earlier erasure of the tenant had begun; what it erased is not counted. */
            resumed: boolean;
        };
        Error: {
            statusCode: number;
            /** @description An array for 400, each item naming its field. */
            message: string | string[];
            /** @description The reason phrase of the status. */
            error: string;
            /** @description The id under which the log has the error; only with 5xx. */
            requestId?: string;
        };
        Event: {
            id: string;
            eventName: string;
            properties: {
                [key: string]: unknown;
            };
            threadId: string | null;
            executionId: string | null;
            timestamp: string;
        };
        EventFilter: {
            propertyKey: string;
            /** @enum {string} */
            operator: "eq" | "neq" | "gt" | "lt" | "gte" | "lte" | "contains" | "notContains" | "startsWith" | "in" | "notIn" | "exists" | "notExists";
            /** @description Array for in and notIn; none for exists. */
            value?: string | number | boolean | (string | number | boolean)[];
        };
        EventMetric: {
            /** @enum {string} */
            aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
            /** @description Needed by all but count. */
            propertyKey?: string;
            alias: string;
        };
        EventsQuery: {
            eventName?: string;
            /** @description Default: the key's agent; "*": all. */
            agentId?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Included. ISO 8601, -24h, -7d, today, mtd, or a whole period: last_month, this_week, 2026-Q4. */
            dateFrom?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description basis.cases of an answer, in place of eventName and dates. */
            cases?: string;
            /**
             * @default raw
             * @enum {string}
             */
            mode?: "raw" | "aggregate" | "retention";
            /** @description raw: keys to show; omitted means all. */
            columns?: string[];
            /** @description aggregate: up to 3 keys. */
            groupBy?: string | string[];
            /** @description aggregate: one column each; default one count. */
            metrics?: components["schemas"]["EventMetric"][];
            /** @description A field, key, group key or alias. */
            sortBy?: string;
            /**
             * @description Default desc.
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /** @description retention: filters of the first event alone. */
            start?: {
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description retention: the later event, by default eventName again; "*": any. */
            returned?: {
                eventName?: string;
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description retention: who returns; default threadId. */
            by?: string;
            /**
             * @description retention: default week.
             * @enum {string}
             */
            dateGrouping?: "day" | "week" | "month" | "quarter" | "year";
            /** @description retention: the last period; default 8. */
            periods?: number;
            /**
             * @description Default 100; more than 1000 is capped to 1000.
             * @default 100
             */
            limit?: number;
            /** @default 0 */
            offset?: number;
        };
        ExecuteConnector: {
            /** @description The resource's slug. */
            resource: string;
            /**
             * @deprecated
             * @description Deprecated and without effect: name a resource.
             */
            action?: string;
            /** @description Parameters by name, each put where the resource has it; or, where all members are among them, path, query, body and headers. */
            data?: unknown;
            /** @description How it is executed. */
            options?: {
                /** @description Whether the mock of the resource answers, and the API is not asked. */
                useMock?: boolean;
                /** @description Milliseconds that the call may take, all its attempts together. */
                timeout?: number;
                /** @description The name of a stored credential, of those that the connector allows. */
                credentials?: string;
                /** @description Headers to send. None of the connection, the authentication or the connector itself. */
                headers?: {
                    [key: string]: string;
                };
            };
        };
        ExecutedCall: {
            /**
             * @description The API, or a mock, has answered.
             * @constant
             */
            success: true;
            /** @description What the API answered: JSON as it came, null where there was no content, other text as a string, other bytes as {contentType, base64}. */
            data: unknown;
            /** @description How it went. */
            metadata: components["schemas"]["CallMetadata"];
        };
        Execution: {
            /** @description Your own, or made by the server. */
            id: string;
            /** @description The agent that executed. */
            agentId: string;
            /** @description The conversation that the execution belongs to. */
            threadId: string | null;
            /** @description The end user it ran for. */
            userId: string | null;
            /** @description What ran. */
            name: string | null;
            /** @description Free labels, each once. */
            tags: string[];
            /** @description The sender's own facts. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The execution that started this one. */
            parentId: string | null;
            /**
             * @description How it came: recorded over the API, or by the chat endpoint.
             * @enum {string}
             */
            source: "api" | "chat";
            /**
             * @description How far it is, or how it ended.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @description The kind of failure in a word, such as timeout; null when the sender gave none. */
            errorKind: string | null;
            /** @description The conversation, tool calls and parts as they were recorded. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description What came out; null when there is none. */
            output: unknown;
            /** @description Who ran the model. */
            provider: string | null;
            /** @description Which one. */
            model: string | null;
            /** @description TokenCounts and the like, as the provider counted them; else the sum of the model steps. */
            usage: {
                [key: string]: unknown;
            } | null;
            /** @description TokenCounts of the input, cached ones included; null when not said. */
            inputTokens: number | null;
            /** @description TokenCounts of the output, reasoning included. */
            outputTokens: number | null;
            /** @description Both together. */
            totalTokens: number | null;
            /** @description US dollars; null when it is not known. */
            cost: number | null;
            /** @description sent: the sender's own; priced: by the public prices of the model. null without a cost. */
            costBasis: ("sent" | "priced") | null;
            /** @description Milliseconds from its start to its end. */
            latencyMs: number | null;
            /** @description ISO 8601. */
            startedAt: string | null;
            /** @description ISO 8601; null while it runs. */
            completedAt: string | null;
            /** @description The first 1,000 steps in the order of their starts, or 4 MB of them; tool calls of messages follow. */
            steps: components["schemas"]["Step"][];
            /** @description The number of recorded steps. `/steps` has all of them, in pages. */
            stepsTotal: number;
            /** @description Facts of a chat that the chat endpoint recorded. */
            chat: components["schemas"]["ChatFacts"] | null;
            /** @description When it was first recorded. */
            createdAt: string;
            /** @description When it was last recorded. */
            updatedAt: string;
        };
        ExecutionList: {
            /** @description One page, without messages. */
            executions: components["schemas"]["ExecutionRow"][];
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description How many match, 10,000 at most: so many means that or more. null when counting takes longer than the page; a narrower filter is counted. */
            total: number | null;
        };
        ExecutionRow: {
            /** @description Your own, or made by the server. */
            id: string;
            /** @description The agent that executed. */
            agentId: string;
            /** @description The conversation that the execution belongs to. */
            threadId: string | null;
            /** @description The end user it ran for. */
            userId: string | null;
            /** @description What ran. */
            name: string | null;
            /** @description Free labels, each once. */
            tags: string[];
            /** @description The execution that started this one. */
            parentId: string | null;
            /**
             * @description How it came: recorded over the API, or by the chat endpoint.
             * @enum {string}
             */
            source: "api" | "chat";
            /**
             * @description How far it is, or how it ended.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @description The kind of failure in a word, such as timeout; null when the sender gave none. */
            errorKind: string | null;
            /** @description Who ran the model. */
            provider: string | null;
            /** @description Which one. */
            model: string | null;
            /** @description TokenCounts and the like, as the provider counted them; else the sum of the model steps. */
            usage: {
                [key: string]: unknown;
            } | null;
            /** @description TokenCounts of the input, cached ones included; null when not said. */
            inputTokens: number | null;
            /** @description TokenCounts of the output, reasoning included. */
            outputTokens: number | null;
            /** @description Both together. */
            totalTokens: number | null;
            /** @description US dollars; null when it is not known. */
            cost: number | null;
            /** @description sent: the sender's own; priced: by the public prices of the model. null without a cost. */
            costBasis: ("sent" | "priced") | null;
            /** @description Milliseconds from its start to its end. */
            latencyMs: number | null;
            /** @description ISO 8601. */
            startedAt: string | null;
            /** @description ISO 8601; null while it runs. */
            completedAt: string | null;
            /** @description When it was first recorded. */
            createdAt: string;
            /** @description When it was last recorded. */
            updatedAt: string;
            /** @description Its review; null without one. */
            review: {
                /** @description The id of the review. */
                id: string;
                /**
                 * @description How good the outcome was.
                 * @enum {string}
                 */
                rating: "good" | "bad" | "needs_improvement";
                /**
                 * @description How far the work on it is.
                 * @enum {string}
                 */
                status: "pending_review" | "in_progress" | "resolved" | "wont_fix";
            } | null;
            /** @description The number of its assessments. */
            assessments: number;
        };
        ExplainChange: {
            /** @description Default: the key's agent; "*": all. */
            agentId?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Begin of the period to explain, as in aggregate_events. */
            dateFrom: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
            /** @description Needed by all but count and rate. */
            propertyKey?: string;
            /** @description rate: the part counted against all events of eventName. */
            numerator?: {
                eventName?: string;
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description Only events whose executionId was reviewed so; needs reviews:read. */
            review?: {
                rating?: ("good" | "bad" | "needs_improvement")[];
                status?: ("pending_review" | "in_progress" | "resolved" | "wont_fix")[];
                /** @description Any of them. */
                tags?: string[];
            };
            /** @description Receipt of an ingest: read your own writes. */
            waitFor?: string;
            /** @description previous_period (default), or {dateFrom, dateTo}. */
            compareTo?: "previous_period" | {
                dateFrom: string;
                dateTo: string;
            };
            /** @description Properties to look at; default those with few values. */
            properties?: string[];
            /** @description Groups of a property (default 5); the rest is "other". */
            limit?: number;
        };
        Explanation: {
            current: number | null;
            previous: number | null;
            change: number | null;
            /** @description Whether a group stands out from chance. */
            confident: boolean;
            /** @description The likeliest cause first. Those of a property add up to change - unexplained. */
            contributions: {
                property: string;
                /** @description Several keys give an object. null: absent. */
                group: string | number | boolean | Record<string, never> | unknown[] | null;
                current: number | null;
                previous: number | null;
                contribution: number;
                /** @description For ratios: the effect of the change of the group itself. */
                rateEffect?: number;
                /** @description For ratios: the effect of the change of its weight. */
                mixEffect?: number;
            }[];
            /** @description What no group accounts for; 0 but for some formulas. */
            unexplained: number | null;
            lookedAt: {
                properties: string[];
                comparisons: number;
            };
            /** @description Unlike the median of the same times in earlier weeks. */
            anomalies?: {
                bucket: string;
                value: number;
                expected: number;
            }[];
            /** @description What happened in the periods. */
            annotations?: {
                at: string;
                text: string;
            }[];
            basis: {
                eventName: string;
                agentId: string | null;
                aggregation?: string;
                propertyKey?: string;
                numerator?: {
                    [key: string]: unknown;
                };
                formula?: {
                    [key: string]: unknown;
                };
                /** @description null: an approved metric was not used. */
                metric?: {
                    name: string;
                    version: number;
                    /** @enum {string} */
                    state: "proposed" | "approved" | "deprecated";
                } | null;
                filters: ({
                    [key: string]: unknown;
                } | string)[];
                review?: {
                    [key: string]: unknown;
                };
                segment?: {
                    name: string;
                    by: string;
                    conditions: {
                        [key: string]: unknown;
                    }[];
                };
                from: string | null;
                to: string | null;
                timezone: string;
                matchedEvents: number;
                lastEventAt: string | null;
                /** @description Handle of the events: for query_events. */
                cases?: string;
                previousFrom: string;
                previousTo: string;
            };
            notes: string[];
        };
        FailedCall: {
            /**
             * @description The call failed; `error` says why.
             * @constant
             */
            success: false;
            /** @description What went wrong, and what mends it. */
            error: string;
            /**
             * @description True when data is the resource's fallback response.
             * @constant
             */
            fallback?: true;
            /** @description The fallback response; without one, what the API answered, as far as it did. */
            data?: unknown;
            /** @description How it went; there once the resource is known. */
            metadata?: components["schemas"]["CallMetadata"];
        };
        FirstHour: {
            /** @description When each step was first seen to be done (ISO 8601); null: not yet. A step that is done stays done; one that only the sample data ticked ends with it. */
            steps: {
                /** @description An event has arrived. */
                event: string | null;
                /** @description An MCP client has called a tool. */
                client: string | null;
                /** @description A person or a client has asked a question and got an answer. */
                question: string | null;
                /** @description The tenant has a card, beside those of the sample data. */
                card: string | null;
            };
            /** @description One of the first events. */
            event: {
                /** @description Its name. */
                eventName: string;
            } | null;
            /** @description The first call of a tool; null before it, and where it is not known. */
            call: {
                /** @description The application, or the label of the key. */
                client: string;
                /** @description The name of the tool. */
                tool: string;
            } | null;
            /** @description You put the checklist away. */
            putAway: boolean;
            /**
             * @description Whether the sample data is there.
             * @enum {string}
             */
            sampleData: "absent" | "loading" | "loaded";
            /** @description Made from the events; null without events, and once a question was asked and a card was saved. */
            suggestions: {
                /** @description Three. */
                questions: {
                    /** @description In words, to be asked by a person or a model. */
                    text: string;
                    /** @description For POST /api/v1/portal/aggregate. */
                    question: {
                        [key: string]: unknown;
                    };
                }[];
                /** @description Three. */
                cards: {
                    /** @description The agent that has the events. */
                    agentId: string;
                    /** @description In words. */
                    title: string;
                    /**
                     * @description The type of the card.
                     * @enum {string}
                     */
                    cardType: "number" | "rate" | "line" | "bar" | "pie" | "table" | "funnel" | "gauge";
                    /** @description For POST /api/v1/runtime/observability/dashboard-cards, or its preview. */
                    config: {
                        [key: string]: unknown;
                    };
                }[];
            } | null;
        };
        FunnelBasis: {
            eventName: string;
            agentId: string | null;
            aggregation?: string;
            propertyKey?: string;
            numerator?: {
                [key: string]: unknown;
            };
            formula?: {
                [key: string]: unknown;
            };
            /** @description null: an approved metric was not used. */
            metric?: {
                name: string;
                version: number;
                /** @enum {string} */
                state: "proposed" | "approved" | "deprecated";
            } | null;
            filters: ({
                [key: string]: unknown;
            } | string)[];
            review?: {
                [key: string]: unknown;
            };
            segment?: {
                name: string;
                by: string;
                conditions: {
                    [key: string]: unknown;
                }[];
            };
            from: string | null;
            to: string | null;
            timezone: string;
            matchedEvents: number;
            lastEventAt: string | null;
            /** @description Handle of the events: for query_events. */
            cases?: string;
            steps: {
                eventName: string;
                filters: ({
                    [key: string]: unknown;
                } | string)[];
            }[];
            by: string;
            windowSeconds: number;
        };
        FunnelConfig: {
            steps: {
                eventName: string;
                filters?: components["schemas"]["EventFilter"][];
                label?: string;
            }[];
            by?: string;
            windowSeconds?: number;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
        };
        GaugeConfig: {
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
            /** @description Needed by all but count. */
            propertyKey?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
            /** @description A point of the scale, in the unit of the value. */
            min: number;
            /** @description A point of the scale, in the unit of the value. */
            max: number;
            /** @description A point of the scale, in the unit of the value. */
            target?: number;
            /** @description Where a new zone of the scale begins, ascending. */
            thresholds?: {
                /** @description A point of the scale, in the unit of the value. */
                value: number;
                label?: string;
                color?: string;
            }[];
        };
        HandedItem: {
            /** @description What the caller holds by this request; null: nothing. */
            item: {
                /** @description The execution to look at. */
                executionId: string;
                /** @description Until then nobody else gets it. */
                leaseUntil: string;
            } | null;
            /** @description How many are not done. Counted up to 1,000: so many means that or more. */
            waiting: number;
            /** @description How many are done. */
            done: number;
        };
        IdentityProvider: {
            /** @description Unique within the tenant. */
            id: string;
            /** @description The name on the button of the login page: "Continue with <name>". */
            name: string;
            /**
             * @description Whose product it is.
             * @enum {string}
             */
            preset: "google" | "microsoft" | "okta" | "keycloak" | "authentik" | "other";
            /**
             * Format: uri
             * @description Where discovery begins: `<issuer>/.well-known/openid-configuration`, which must name the same issuer.
             */
            issuer: string;
            /** @description The id of the client that was registered at the provider. */
            clientId: string;
            /**
             * @description How the secret is sent; `auto`: in the body where the provider lists it, else as HTTP Basic.
             * @enum {string}
             */
            clientAuthentication: "auto" | "post" | "basic";
            /** @description The scopes that are requested; `openid` is added. */
            scopes: string[];
            /** @description Only people with an e-mail of one of these domains may log in; none: all. With Google, domains of Workspace. */
            allowedDomains: string[];
            /** @description Microsoft Entra only: the directories (claim `tid`) that may log in. Needed with an issuer of several. */
            allowedDirectories: string[];
            /** @description The claim with groups or roles, nested ones with dots (`realm_access.roles`); null: roles stay as they are. */
            roleClaim: string | null;
            /** @description Roles by values of the claim, set at every login; of several the highest counts. */
            roleMapping: {
                /** @description A value of the claim. */
                value: string;
                /**
                 * @description The role that it gives.
                 * @enum {string}
                 */
                role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            }[];
            /** @description The role of new users, and of those without a mapped value; null: they are refused. */
            defaultRole: ("USER" | "VIEWER" | "HUB_USER") | null;
            /** @description Whether the first login makes a user. */
            createUsers: boolean;
            /** @description Whether a first login may take an existing user of the same e-mail without `email_verified` and allowed domains. */
            linkByEmail: boolean;
            /** @description Whether people may log in with it. */
            enabled: boolean;
            /** @description Whether it may let MCP clients act for its people by identity assertions (ID-JAG), without asking them. */
            mcp: boolean;
            /** @description Whether a client secret is stored. */
            hasSecret: boolean;
            /**
             * @description The highest role of users whom it lets in: that of the administrator who answers for it.
             * @enum {string}
             */
            authority: "ADMIN" | "SUPER_ADMIN";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was created or last changed.
             */
            updatedAt: string;
            /** @description Register it at the provider. */
            redirectUri: string;
            /** @description Register it at providers that end sessions by back-channel logout. */
            backchannelLogoutUri: string;
        };
        IdentityProviderTest: {
            /** @description Whether no check failed. */
            works: boolean;
            /** @description The checks, in the order in which they ran. */
            checks: {
                /**
                 * @description The name of the check.
                 * @enum {string}
                 */
                check: "discovery" | "pkce" | "keys" | "claims" | "client";
                /**
                 * @description The outcome of the check.
                 * @enum {string}
                 */
                outcome: "ok" | "unknown" | "failed";
                /** @description What was found, and what to do. */
                message: string;
            }[];
        };
        ImportPreview: {
            /** @description What calls name it by. */
            slug: string;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "created" | "changed" | "unchanged";
            /** @description Credentials that it lists and that are not stored yet. */
            missingCredentials: string[];
            /** @description The definition, in the form that a PUT takes. */
            definition: {
                /**
                 * @description The version of this format.
                 * @default 1
                 * @constant
                 */
                version: 1;
                /** @description What calls name it by. */
                slug: string;
                /** @description For people; calls may use it, too. */
                name: string;
                /** @description What it is for. */
                description?: string;
                /** @description Where it is reached. */
                environments: {
                    /** @description For trying. */
                    staging?: {
                        /** @description What the paths of resources follow: https://api.example.com/v1 for example. */
                        baseUrl: string;
                        /** @description What it is used with unless a call names a credential. */
                        secret?: {
                            /** @description The name of a stored credential. */
                            credential: string;
                        } | {
                            /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                            env: string;
                        };
                        /** @description Replaces `auth` of the connector. */
                        auth?: {
                            /**
                             * @description Nobody is asked who calls.
                             * @constant
                             */
                            type: "none";
                        } | {
                            /**
                             * @description A key in a header or in the query.
                             * @constant
                             */
                            type: "apiKey";
                            /**
                             * @description Where it is sent.
                             * @enum {string}
                             */
                            in: "header" | "query";
                            /** @description The name of the header or of the query parameter. */
                            name: string;
                            /** @description Precedes the key and a space: `Token`, for example. */
                            prefix?: string;
                        } | {
                            /**
                             * @description User and password, as HTTP has it.
                             * @constant
                             */
                            type: "basic";
                            /** @description The client's id; by default the username of the credential. */
                            username?: string;
                        } | {
                            /**
                             * @description A token in the header Authorization.
                             * @constant
                             */
                            type: "bearer";
                        } | {
                            /**
                             * @description Tokens of an authorization server.
                             * @constant
                             */
                            type: "oauth2";
                            /** @description Where tokens are asked for, with the grant client_credentials. */
                            tokenUrl: string;
                            /** @description The client's id; by default the username of the credential. */
                            clientId?: string;
                            /**
                             * @description The scopes that are requested.
                             * @default []
                             */
                            scopes: string[];
                            /** @description The audience, for servers that require one. */
                            audience?: string;
                            /**
                             * @description How the client says who it is: HTTP Basic, or members of the body.
                             * @default basic
                             * @enum {string}
                             */
                            clientAuthentication: "basic" | "body";
                        };
                        /** @description Sent beside the headers of the connector. */
                        headers?: {
                            [key: string]: string | ({
                                /** @description The name of a stored credential. */
                                credential: string;
                            } | {
                                /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                                env: string;
                            });
                        };
                    };
                    /** @description For real. */
                    production?: {
                        /** @description What the paths of resources follow: https://api.example.com/v1 for example. */
                        baseUrl: string;
                        /** @description What it is used with unless a call names a credential. */
                        secret?: {
                            /** @description The name of a stored credential. */
                            credential: string;
                        } | {
                            /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                            env: string;
                        };
                        /** @description Replaces `auth` of the connector. */
                        auth?: {
                            /**
                             * @description Nobody is asked who calls.
                             * @constant
                             */
                            type: "none";
                        } | {
                            /**
                             * @description A key in a header or in the query.
                             * @constant
                             */
                            type: "apiKey";
                            /**
                             * @description Where it is sent.
                             * @enum {string}
                             */
                            in: "header" | "query";
                            /** @description The name of the header or of the query parameter. */
                            name: string;
                            /** @description Precedes the key and a space: `Token`, for example. */
                            prefix?: string;
                        } | {
                            /**
                             * @description User and password, as HTTP has it.
                             * @constant
                             */
                            type: "basic";
                            /** @description The client's id; by default the username of the credential. */
                            username?: string;
                        } | {
                            /**
                             * @description A token in the header Authorization.
                             * @constant
                             */
                            type: "bearer";
                        } | {
                            /**
                             * @description Tokens of an authorization server.
                             * @constant
                             */
                            type: "oauth2";
                            /** @description Where tokens are asked for, with the grant client_credentials. */
                            tokenUrl: string;
                            /** @description The client's id; by default the username of the credential. */
                            clientId?: string;
                            /**
                             * @description The scopes that are requested.
                             * @default []
                             */
                            scopes: string[];
                            /** @description The audience, for servers that require one. */
                            audience?: string;
                            /**
                             * @description How the client says who it is: HTTP Basic, or members of the body.
                             * @default basic
                             * @enum {string}
                             */
                            clientAuthentication: "basic" | "body";
                        };
                        /** @description Sent beside the headers of the connector. */
                        headers?: {
                            [key: string]: string | ({
                                /** @description The name of a stored credential. */
                                credential: string;
                            } | {
                                /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                                env: string;
                            });
                        };
                    };
                };
                /**
                 * @description For calls that name none, where the server has no default.
                 * @enum {string}
                 */
                defaultEnvironment?: "staging" | "production";
                /**
                 * @description How it wants to know who calls.
                 * @default {
                 *       "type": "none"
                 *     }
                 */
                auth: {
                    /**
                     * @description Nobody is asked who calls.
                     * @constant
                     */
                    type: "none";
                } | {
                    /**
                     * @description A key in a header or in the query.
                     * @constant
                     */
                    type: "apiKey";
                    /**
                     * @description Where it is sent.
                     * @enum {string}
                     */
                    in: "header" | "query";
                    /** @description The name of the header or of the query parameter. */
                    name: string;
                    /** @description Precedes the key and a space: `Token`, for example. */
                    prefix?: string;
                } | {
                    /**
                     * @description User and password, as HTTP has it.
                     * @constant
                     */
                    type: "basic";
                    /** @description The client's id; by default the username of the credential. */
                    username?: string;
                } | {
                    /**
                     * @description A token in the header Authorization.
                     * @constant
                     */
                    type: "bearer";
                } | {
                    /**
                     * @description Tokens of an authorization server.
                     * @constant
                     */
                    type: "oauth2";
                    /** @description Where tokens are asked for, with the grant client_credentials. */
                    tokenUrl: string;
                    /** @description The client's id; by default the username of the credential. */
                    clientId?: string;
                    /**
                     * @description The scopes that are requested.
                     * @default []
                     */
                    scopes: string[];
                    /** @description The audience, for servers that require one. */
                    audience?: string;
                    /**
                     * @description How the client says who it is: HTTP Basic, or members of the body.
                     * @default basic
                     * @enum {string}
                     */
                    clientAuthentication: "basic" | "body";
                };
                /**
                 * @description The stored credentials that may be used with it.
                 * @default []
                 */
                credentials: string[];
                /**
                 * @description Sent with every request.
                 * @default {}
                 */
                headers: {
                    [key: string]: string | ({
                        /** @description The name of a stored credential. */
                        credential: string;
                    } | {
                        /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                        env: string;
                    });
                };
                /**
                 * @description Milliseconds that a call may take, all its attempts together.
                 * @default 30000
                 */
                timeoutMs: number;
                /**
                 * @description The most of an answer, decompressed.
                 * @default 5242880
                 */
                maxResponseBytes: number;
                /**
                 * @description Calls of one environment at once; as many more may wait.
                 * @default 64
                 */
                maxConcurrent: number;
                /** @description When a call is tried again, where that is safe. */
                retry: {
                    /**
                     * @description In all; 1: none again.
                     * @default 3
                     */
                    attempts: number;
                    /**
                     * @description Answers that are worth another attempt.
                     * @default [
                     *       429,
                     *       502,
                     *       503,
                     *       504
                     *     ]
                     */
                    statuses: number[];
                };
                /**
                 * @description Whether redirects of GET and HEAD are followed, three at most and within the same origin.
                 * @default false
                 */
                followRedirects: boolean;
                /**
                 * @description Networks that are not public and may be reached: 10.1.0.0/16 for example. From the operator's command line alone.
                 * @default []
                 */
                allowPrivateNetworks: string[];
                /** @description JSON Schemas that others refer to as #/schemas/NAME. */
                schemas?: {
                    [key: string]: unknown;
                };
                /** @description What can be called, by slug. */
                resources: {
                    [key: string]: {
                        /** @description What it does, for people and models. */
                        description?: string;
                        /**
                         * @description The HTTP method.
                         * @enum {string}
                         */
                        method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @description What follows the base URL; {name} stands for a parameter. */
                        path: string;
                        /**
                         * @description The parameters by place. A place without a schema takes anything.
                         * @default {}
                         */
                        parameters: {
                            /** @description JSON Schema of an object: those in braces in the path. */
                            path?: unknown;
                            /** @description JSON Schema of an object. */
                            query?: unknown;
                            /** @description JSON Schema of an object; names in any case. */
                            headers?: unknown;
                            /** @description JSON Schema of the body. */
                            body?: unknown;
                        };
                        /** @description How lists and objects are written in the path, by parameter; default simple. */
                        pathStyles?: {
                            [key: string]: "simple" | "simpleExploded" | "json" | "label" | "labelExploded" | "matrix" | "matrixExploded";
                        };
                        /** @description How lists and objects are written in the query, by parameter; default form (`a=1&a=2`), deepObject for objects. */
                        queryStyles?: {
                            [key: string]: "form" | "spread" | "comma" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "brackets" | "json";
                        };
                        /** @description How lists and objects are written in headers, by parameter; default simple. */
                        headerStyles?: {
                            [key: string]: "simple" | "simpleExploded" | "json";
                        };
                        /** @description How the members of a form are written: lists repeat and objects are JSON by default. Without this record, deepObject holds for all. */
                        formStyles?: {
                            [key: string]: "form" | "spread" | "comma" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "brackets" | "json";
                        };
                        /** @description Parameters of the query and members of a form whose reserved characters are not encoded. */
                        allowReserved?: string[];
                        /**
                         * @description What the body is sent as; form and multipart: as HTML forms are.
                         * @default json
                         * @enum {string}
                         */
                        bodyType: "json" | "form" | "multipart";
                        /** @description Media types of members of a multipart body. Without: text/plain, and JSON for objects. */
                        partTypes?: {
                            [key: string]: string;
                        };
                        /** @description What the body says that it is. Without: application/json or that of a form. */
                        contentType?: string;
                        /** @description Whether the body may be left out where its schema requires something. Without: not. */
                        bodyOptional?: boolean;
                        /** @description Whether calling twice does no more than calling once. Without: by the method. */
                        idempotent?: boolean;
                        /** @description Replaces `timeoutMs` of the connector. */
                        timeoutMs?: number;
                        /** @description What a call with `useMock` is answered with. */
                        mock?: {
                            /**
                             * @description The status that is told.
                             * @default 200
                             */
                            status: number;
                            /** @description What is answered as data. */
                            body?: unknown;
                        };
                        /** @description What a failure carries as data. */
                        fallbackResponse?: unknown;
                        /**
                         * @description Whether MCP clients see it as a tool.
                         * @default false
                         */
                        exposeAsTool: boolean;
                    };
                };
            };
            /** @description All that is taken otherwise than the document says, or left out. */
            notes: {
                /** @description Where in the document, as a JSON Pointer. */
                at: string;
                /** @description What the import left out or changed. */
                message: string;
                /** @description Other places with the same message. */
                more: number;
            }[];
            /** @description The differences from the stored connector; none for a new one. */
            changes: {
                /**
                 * @description How it differs.
                 * @enum {string}
                 */
                change: "added" | "removed" | "changed";
                /**
                 * @description Whether it is a resource or a schema.
                 * @enum {string}
                 */
                of: "resource" | "schema";
                /** @description The slug of the resource, or the name of the schema. */
                name: string;
                /** @description The method and the path of a resource; the name of a schema. */
                label: string;
                /** @description What has changed; empty unless `changed`. */
                details: string[];
            }[];
        };
        IngestEvent: {
            /** @description What happened, for example purchase_completed. */
            eventName: string;
            /** @description Free map: at most 64 KB of JSON, 10 levels deep. */
            properties?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601; missing means now; at most 24 hours ahead.
             */
            timestamp?: string;
            /** @description Your own id: a repeated one is stored once. */
            id?: string;
            /** @description The conversation or session the event belongs to. */
            threadId?: string | null;
            /** @description The agent execution the event belongs to. */
            executionId?: string | null;
            /** @description Defaults to the key's agent. */
            agentId?: string;
            /** @description Need not be sent; when sent it must be the key's tenant. */
            tenantId?: string;
        };
        IngestResult: {
            /** @constant */
            success: true;
            /** @description Events stored by this request. */
            accepted: number;
            /** @description Events whose id was stored before; they are stored once. */
            duplicates: number;
            /** @description Only with ?partial=true. */
            rejected: {
                index: number;
                message: string;
            }[];
            /** @description Send it as x-wait-for with a query to read your own writes. */
            receipt: string;
        };
        IngestionJob: {
            /** @description The id that the server made. */
            jobId: string;
            /**
             * @description A cancelled job is failed.
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed";
            /** @description The name of the uploaded file. */
            originalName: string;
            /** @description The number of chunks; until the end an estimate from the part that has been read. */
            totalChunks: number;
            /** @description Stored so far. */
            processedChunks: number;
            /** @description 0 to 1: the fraction of chunks that are processed. */
            progress: number;
            /** @description Set on completion. */
            documentId: string | null;
            /** @description Set on failure: what is wrong, where, and what to do. */
            error: string | null;
            /** @description Parts of the file that are not in its text, such as pictures, and what was guessed, such as its encoding. */
            notes: string[];
            /** @description When processing began. */
            startedAt: string | null;
            /** @description When it ended, also where it failed. */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When the file was accepted.
             */
            createdAt: string;
        };
        Invitation: {
            /** @description Id of the invitation. */
            id: string;
            /** @description Who is invited. */
            email: string;
            /**
             * @description The role of the new user.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /** @description Who has invited. */
            invitedBy: {
                /** @description The name of the person. */
                name: string;
                /** @description The e-mail address. */
                email: string;
                /** @description Id of the user. */
                id: string;
            };
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when the link is valid: seven days from its making.
             */
            expiresAt: string;
            /** @description False while the person who invited may not give the role any more: the link is refused. */
            valid: boolean;
        };
        Invite: {
            /**
             * Format: email
             * @description Where the person is invited; unique within the tenant, in whatever case.
             */
            email: string;
            /**
             * @description What the user may do within the tenant: docs/users.md.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /**
             * @description Whether the server sends the link to this address, too.
             * @default false
             */
            mail?: boolean;
        };
        Invited: {
            /** @description Id of the invitation. */
            id: string;
            /** @description Who is invited. */
            email: string;
            /**
             * @description The role of the new user.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /** @description Valid once; it is in this answer alone. */
            link: string;
            /**
             * Format: date-time
             * @description Until when the link is valid: seven days from its making.
             */
            expiresAt: string;
            /** @description Whether the mail server took a message with the link. */
            mailed: boolean;
            /** @description Why the mail server did not take it: hand the link over yourself. */
            mailError?: string;
        };
        IssuedKey: {
            /** @description The key itself. Keep it now. */
            key: string;
            /** @description The part between `ar_` and the second underscore. */
            id: string;
            /** @description Id of its tenant. */
            tenantId: string;
            /** @description The agent that the key is bound to; null: to none. */
            agentId: string | null;
            /** @description Shown as author of what is done with the key. */
            label: string;
            /** @description What the key may do; `*` is everything. */
            scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write" | "*")[];
            /** @description What the key is held to; left out: to nothing below the tenant. */
            limits?: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            };
            /** @description When the key expires; null: never. */
            expiresAt: string | null;
        };
        Joined: {
            /** @description The path of the login page, without a slash at its beginning. */
            loginUrl: string;
        };
        KeyMaker: {
            /** @description Id of the user. */
            id: string;
            /** @description The name of the person; null: the user is gone. */
            name: string | null;
            /** @description The e-mail address of the user; null: the user is gone. */
            email: string | null;
            /** @description Whether the user may still log in. */
            isActive: boolean;
        };
        KeyQuotaChanges: {
            /** @description Requests a minute, in place of AGENT_RUNTIME_RATE_LIMIT. */
            "requests-per-minute"?: number | null;
            /** @description Tokens of chats in a month. */
            "tokens-per-month"?: number | null;
            /** @description US dollars of chats in a month. */
            "cost-per-month"?: number | null;
            /** @description Tokens of chats in a day. */
            "tokens-per-day"?: number | null;
            /** @description US dollars of chats in a day. */
            "cost-per-day"?: number | null;
        };
        KeyQuotas: {
            /** @description Id of the key. */
            id: string;
            /** @description Label of the key. */
            label: string;
            /** @description The limits by the name of their quota; without a member, there is no limit or the default. */
            limits: {
                [key: string]: number;
            };
            /** @description How much of each limit is used. */
            quotas: components["schemas"]["QuotaUsage"][];
        };
        KnownModel: {
            /** @description What a request names it by. */
            id: string;
            /** @description Its name for people. */
            name: string | null;
            /** @description The most tokens of a conversation; null: unknown. */
            contextTokens: number | null;
            /** @description US dollars for a million input tokens; null: unknown. */
            inputPerMillion: number | null;
            /** @description US dollars for a million output tokens; null: unknown. */
            outputPerMillion: number | null;
        };
        Limits: {
            /** @description Only what these agents recorded. */
            agents?: string[];
            /** @description Only events of these names. */
            eventNames?: string[];
            /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
            filters?: components["schemas"]["EventFilter"][];
            /** @description Only events of the subjects of this saved segment. */
            segment?: string;
            /** @description Only these vector stores. */
            vectorStores?: string[];
            /** @description Only connectors with these slugs. */
            connectors?: string[];
            /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
            models?: string[];
        };
        LoggedIn: {
            /** @description Send it as `Authorization: Bearer <token>`. */
            token: string;
            /**
             * Format: date-time
             * @description When the session expires: twelve hours from now.
             */
            expiresAt: string;
            /** @description Who has logged in. */
            user: components["schemas"]["SessionUser"];
        };
        Metric: {
            /** @description Such as Resolution rate. */
            title: string;
            /** @description What it means, and what it leaves out. */
            description?: string;
            /** @description Other names that people use for it. */
            synonyms?: string[];
            /** @description Such as USD, minutes or %. */
            unit?: string;
            /** @description How the value is written. Its members replace those of the metric. */
            format?: {
                prefix?: string;
                suffix?: string;
                decimals?: number;
                /** @description Writes 0.25 as 25%, as a rate is by default. */
                percent?: boolean;
            };
            /** @enum {string} */
            goodDirection: "up" | "down" | "none";
            formula: {
                /** @description + - * /, parentheses, numbers and names of parts, such as "resolved / started". */
                expression: string;
                parts: {
                    [key: string]: {
                        eventName: string;
                        /** @enum {string} */
                        aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
                        /** @description Needed by all but count. */
                        propertyKey?: string;
                        filters?: unknown[];
                    };
                };
            } | {
                eventName: string;
                /** @enum {string} */
                aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
                /** @description Needed by all but count and rate. */
                propertyKey?: string;
                /** @description rate: the part counted against all events of eventName. */
                numerator?: {
                    eventName?: string;
                    filters?: unknown[];
                };
                filters?: unknown[];
            };
            /** @description Who answers questions about it. */
            owner?: string;
            name: string;
            version: number;
            /** @enum {string} */
            state: "proposed" | "approved" | "deprecated";
            createdAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
            /** @description When it was approved or deprecated. */
            decidedAt: string | null;
            decidedBy: string | null;
            latestVersion: number;
            approvedVersion: number | null;
        };
        ModelProvider: {
            /** @description The whole definition, in the form that a PUT takes; without secrets. */
            definition: {
                /**
                 * @description Version of this format.
                 * @default 1
                 * @constant
                 */
                version: 1;
                /** @description What `providerName` names. */
                name: string;
                /**
                 * @description The API to use; custom: any server with Chat Completions.
                 * @enum {string}
                 */
                provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
                /** @description Where it is reached; without one, at the vendor's own address. */
                baseUrl?: string;
                /** @description Whether one is stored, or where it is read. */
                apiKey?: "set" | {
                    /** @description The variable. */
                    env: string;
                };
                /** @description Names of headers, without their values. */
                headers?: {
                    [key: string]: "set" | {
                        /** @description The variable. */
                        env: string;
                    };
                };
                /** @description The AWS region; only for bedrock. */
                region?: string;
                /**
                 * @description What a request that leaves them out is given.
                 * @default {}
                 */
                defaults: {
                    /** @description 0 to 2. */
                    temperature?: number;
                    /** @description Maximum tokens of the answer. */
                    maxTokens?: number;
                    /** @description 0 to 1. */
                    topP?: number;
                    /** @description -2 to 2. */
                    frequencyPenalty?: number;
                    /** @description -2 to 2. */
                    presencePenalty?: number;
                    /** @description Texts before which the answer ends; by us where the provider cannot. */
                    stop?: string[];
                    /** @description Repeatable answers, if supported. */
                    seed?: number;
                    /** @description Extended reasoning. */
                    thinking?: {
                        /**
                         * @description enabled: within a budget; adaptive: as much as the model sees fit; disabled: none.
                         * @enum {string}
                         */
                        type: "enabled" | "adaptive" | "disabled";
                        /** @description Tokens it may take, with enabled. */
                        budgetTokens?: number;
                    };
                    /** @description System instructions; they come before the messages. */
                    instructions?: string;
                    /** @description What the answer is to look like. */
                    responseFormat?: {
                        /**
                         * @description Any text.
                         * @constant
                         */
                        type: "text";
                    } | {
                        /**
                         * @description Some JSON object.
                         * @constant
                         */
                        type: "json_object";
                    } | {
                        /**
                         * @description JSON that follows a schema.
                         * @constant
                         */
                        type: "json_schema";
                        /** @description The schema, as OpenAI takes it. */
                        json_schema: {
                            /** @description What the schema is called. */
                            name: string;
                            /** @description What it is for. */
                            description?: string;
                            /** @description The JSON Schema. */
                            schema: {
                                [key: string]: unknown;
                            };
                            /** @description Whether the answer must follow it exactly. */
                            strict?: boolean;
                        };
                    };
                };
                /**
                 * @description What its models can do, where it is known better.
                 * @default {}
                 */
                capabilities: {
                    /** @description Whether it is taken. */
                    temperature?: boolean;
                    /** @description Whether it is taken. */
                    topP?: boolean;
                    /** @description Whether it is taken. */
                    frequencyPenalty?: boolean;
                    /** @description Whether it is taken. */
                    presencePenalty?: boolean;
                    /** @description Whether it is taken. */
                    seed?: boolean;
                    /** @description The number of sequences that it takes; beyond them, the runtime cuts the answer. */
                    stop?: number;
                    /** @description Whether models can call functions. */
                    tools?: boolean;
                    /** @description Formats of answers besides text. */
                    responseFormats?: ("json_object" | "json_schema")[];
                    /** @description Tools that the provider itself runs. */
                    serverTools?: ("web_search" | "code_execution")[];
                    /**
                     * @description inline: only within the request.
                     * @enum {string}
                     */
                    images?: "any" | "inline" | "none";
                    /** @description Whether files are taken. */
                    files?: boolean;
                    /**
                     * @description How it is told to reason.
                     * @enum {string}
                     */
                    thinking?: "effort" | "budget" | "adaptive" | "none";
                    /** @description The most tokens of one answer; null: unknown. */
                    maxOutputTokens?: number | null;
                    /**
                     * @description The name of maxTokens in its API.
                     * @enum {string}
                     */
                    maxTokensName?: "max_completion_tokens" | "max_tokens";
                    /** @description Whether it takes stream_options. */
                    streamUsage?: boolean;
                };
                /** @description US dollars for a million tokens; without it, that of the public table. */
                price?: {
                    /** @description Price per million input tokens, in US dollars. */
                    inputPerMillion: number;
                    /** @description Price per million output tokens, in US dollars. */
                    outputPerMillion: number;
                };
                /**
                 * @description Tried in this order.
                 * @default []
                 */
                fallbacks: {
                    /** @description A configured provider; without one, that of the environment. */
                    providerName?: string;
                    /**
                     * @description The API to use; custom: any server with Chat Completions.
                     * @enum {string}
                     */
                    provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
                    /** @description The model, by the name that the provider gives it. */
                    model: string;
                }[];
                /**
                 * @description Whether addresses that are not public may be reached.
                 * @default false
                 */
                allowPrivateNetwork: boolean;
                /**
                 * @description Whether images, whose addresses callers choose, may be loaded from such addresses.
                 * @default false
                 */
                allowPrivateImages: boolean;
                /**
                 * @description Whether a parameter that cannot be honoured is refused with 400; otherwise it is dropped.
                 * @default false
                 */
                strict: boolean;
                /** @description Seconds to the first content, before a fallback. */
                timeout?: number;
            };
            /** @description The cheap model of a test that names none; null: name one. */
            testModel: string | null;
            /**
             * Format: date-time
             * @description When it was first stored.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ModelProviders: {
            /** @description The seven vendors. */
            vendors: {
                /**
                 * @description The vendor, as requests name it.
                 * @enum {string}
                 */
                provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
                /**
                 * @description environment: a variable of the server has it, for all tenants; stored: only the tenant's definitions have one.
                 * @enum {string}
                 */
                key: "environment" | "stored" | "none";
                /** @description The variable that is set; never its value. */
                variable: string | null;
                /** @description Why the variable cannot be used. */
                problem: string | null;
                /** @description The variables that are looked for, in this order. */
                variables: string[];
                /** @description The tenant's definitions with this vendor's API. */
                providerNames: string[];
                /** @description The cheap model of a test that names none; null: name one. */
                testModel: string | null;
            }[];
            /** @description The tenant's definitions, by name. */
            providers: components["schemas"]["ModelProvider"][];
        };
        NumberConfig: {
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
            /** @description Needed by all but count. */
            propertyKey?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
            /** @enum {string} */
            compareTo?: "previous_period";
            /** @description How the value is written. Its members replace those of the metric. */
            format?: {
                prefix?: string;
                suffix?: string;
                decimals?: number;
                /** @description Writes 0.25 as 25%, as a rate is by default. */
                percent?: boolean;
            };
        };
        OAuthClient: {
            /** @description The `client_id` of the application. */
            id: string;
            /** @description Given by the operator if `kind` is `configured`, otherwise by itself: not verified. */
            name: string | null;
            /**
             * @description `configured` by the operator, `registered` by itself, or a `document` at the https address that is its id, of which the host is verified.
             * @enum {string}
             */
            kind: "configured" | "registered" | "document";
            /** @description The verified host name of a `document`; null for other kinds. */
            host: string | null;
        };
        OAuthGrant: {
            /** @description Id of the grant. */
            id: string;
            /** @description Who allowed it, or for whom an identity provider did. Their rights limit it. */
            user: {
                /** @description Id of the user. */
                id: string;
                /** @description E-mail of the user. */
                email: string;
            };
            /** @description The application that acts for the user. */
            client: components["schemas"]["OAuthClient"];
            /** @description The address that its tokens are valid at: of `/mcp`, or of the REST API. */
            resource: string;
            /** @description What was allowed; of it, tokens have what the role of the user has, too. */
            scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write")[];
            /** @description What the user held it to, beside what the role is held to. */
            limits: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            } | null;
            /** @description The id of the identity provider that allowed it in place of the user; null: the user did. */
            identityProvider: string | null;
            /**
             * Format: date-time
             * @description When it was allowed.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            expiresAt: string;
            /** @description When a token of it was last used, to the minute; null: never. */
            lastUsedAt: string | null;
        };
        OlderEvents: {
            /** @description The retention that was asked for. */
            days: number;
            /**
             * Format: date-time
             * @description Events with an earlier timestamp are older.
             */
            before: string;
            /** @description The number of older events, the runtime's own among them. */
            events: number;
        };
        Passkey: {
            /** @description Id of the passkey. */
            id: string;
            /** @description What the user calls it. */
            name: string;
            /** @description It works at this host alone. */
            host: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            createdAt: string;
            /** @description When it was last used; null: never. */
            lastUsedAt: string | null;
        };
        PasskeyAssertion: {
            /** @description Id of the credential. */
            id: string;
            /** @description The id of the credential again. */
            rawId: string;
            /**
             * @description Always `public-key`.
             * @constant
             */
            type: "public-key";
            /**
             * @description Not used.
             * @default {}
             */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description The answer of the authenticator. */
            response: {
                /** @description The client data that the authenticator signed. */
                clientDataJSON: string;
                /** @description The data of the authenticator. */
                authenticatorData: string;
                /** @description The signature over authenticator data and client data. */
                signature: string;
                /** @description Id of the user, base64url. */
                userHandle?: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        PasskeyRegistration: {
            /** @description Id of the credential. */
            id: string;
            /** @description The id of the credential again. */
            rawId: string;
            /**
             * @description Always `public-key`.
             * @constant
             */
            type: "public-key";
            /**
             * @description Not used.
             * @default {}
             */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description The answer of the authenticator. */
            response: {
                /** @description The client data that the authenticator signed. */
                clientDataJSON: string;
                /** @description The new public key. */
                attestationObject: string;
                /** @description How the authenticator is reached. */
                transports?: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        PieConfig: {
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            /** @enum {string} */
            aggregation?: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
            /** @description Needed by all but count. */
            propertyKey?: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
            groupBy: string | string[];
            /** @description Top groups; the rest is "other". */
            limit?: number;
        };
        PreviewCard: {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "number";
            config: components["schemas"]["NumberConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "rate";
            config: components["schemas"]["RateConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "line";
            config: components["schemas"]["ChartConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "bar";
            config: components["schemas"]["ChartConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "pie";
            config: components["schemas"]["PieConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "table";
            config: components["schemas"]["TableConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "funnel";
            config: components["schemas"]["FunnelConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @constant */
            cardType: "gauge";
            config: components["schemas"]["GaugeConfig"];
        };
        PreviewImport: {
            /** @description The OpenAPI document, version 3.0 or 3.1, as JSON or YAML. */
            document: string;
            /** @description In place of the document's title. */
            name?: string;
            /** @description Where the API is reached, in place of what the document says. */
            baseUrl?: string;
        };
        ProviderTest: {
            /** @description Whether the model answered. */
            works: boolean;
            /** @description Why not; null when it works. */
            reason: ("key" | "model" | "network" | "quota" | "timeout" | "refused" | "unavailable" | "broken") | null;
            /** @description The same in words, with what the provider says. */
            message: string;
            /**
             * @description The vendor whose API was asked.
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
            /** @description The definition; null: the key of the environment. */
            providerName: string | null;
            /** @description The model that was asked. */
            model: string;
            /** @description The execution that records it; null if nothing was sent. */
            executionId: string | null;
            /** @description Milliseconds to the end of the answer. */
            latencyMs: number | null;
            /** @description Tokens, as far as known. */
            usage: {
                /** @description Of the request. */
                inputTokens: number;
                /** @description Of the answer. */
                outputTokens: number;
            } | null;
            /** @description US dollars; null: unknown, or nothing was spent. */
            cost: number | null;
        };
        PutConnector: {
            /**
             * @description The version of this format.
             * @default 1
             * @constant
             */
            version?: 1;
            /** @description What calls name it by. */
            slug?: string;
            /** @description For people; calls may use it, too. */
            name: string;
            /** @description What it is for. */
            description?: string;
            /** @description Where it is reached. */
            environments: {
                /** @description For trying. */
                staging?: {
                    /** @description What the paths of resources follow: https://api.example.com/v1 for example. */
                    baseUrl: string;
                    /** @description What it is used with unless a call names a credential. */
                    secret?: {
                        /** @description The name of a stored credential. */
                        credential: string;
                    } | {
                        /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                        env: string;
                    };
                    /** @description Replaces `auth` of the connector. */
                    auth?: {
                        /**
                         * @description Nobody is asked who calls.
                         * @constant
                         */
                        type: "none";
                    } | {
                        /**
                         * @description A key in a header or in the query.
                         * @constant
                         */
                        type: "apiKey";
                        /**
                         * @description Where it is sent.
                         * @enum {string}
                         */
                        in: "header" | "query";
                        /** @description The name of the header or of the query parameter. */
                        name: string;
                        /** @description Precedes the key and a space: `Token`, for example. */
                        prefix?: string;
                    } | {
                        /**
                         * @description User and password, as HTTP has it.
                         * @constant
                         */
                        type: "basic";
                        /** @description The client's id; by default the username of the credential. */
                        username?: string;
                    } | {
                        /**
                         * @description A token in the header Authorization.
                         * @constant
                         */
                        type: "bearer";
                    } | {
                        /**
                         * @description Tokens of an authorization server.
                         * @constant
                         */
                        type: "oauth2";
                        /** @description Where tokens are asked for, with the grant client_credentials. */
                        tokenUrl: string;
                        /** @description The client's id; by default the username of the credential. */
                        clientId?: string;
                        /**
                         * @description The scopes that are requested.
                         * @default []
                         */
                        scopes?: string[];
                        /** @description The audience, for servers that require one. */
                        audience?: string;
                        /**
                         * @description How the client says who it is: HTTP Basic, or members of the body.
                         * @default basic
                         * @enum {string}
                         */
                        clientAuthentication?: "basic" | "body";
                    };
                    /** @description Sent beside the headers of the connector. */
                    headers?: unknown;
                };
                /** @description For real. */
                production?: {
                    /** @description What the paths of resources follow: https://api.example.com/v1 for example. */
                    baseUrl: string;
                    /** @description What it is used with unless a call names a credential. */
                    secret?: {
                        /** @description The name of a stored credential. */
                        credential: string;
                    } | {
                        /** @description The variable of the server's environment that holds it; from the operator's command line alone. */
                        env: string;
                    };
                    /** @description Replaces `auth` of the connector. */
                    auth?: {
                        /**
                         * @description Nobody is asked who calls.
                         * @constant
                         */
                        type: "none";
                    } | {
                        /**
                         * @description A key in a header or in the query.
                         * @constant
                         */
                        type: "apiKey";
                        /**
                         * @description Where it is sent.
                         * @enum {string}
                         */
                        in: "header" | "query";
                        /** @description The name of the header or of the query parameter. */
                        name: string;
                        /** @description Precedes the key and a space: `Token`, for example. */
                        prefix?: string;
                    } | {
                        /**
                         * @description User and password, as HTTP has it.
                         * @constant
                         */
                        type: "basic";
                        /** @description The client's id; by default the username of the credential. */
                        username?: string;
                    } | {
                        /**
                         * @description A token in the header Authorization.
                         * @constant
                         */
                        type: "bearer";
                    } | {
                        /**
                         * @description Tokens of an authorization server.
                         * @constant
                         */
                        type: "oauth2";
                        /** @description Where tokens are asked for, with the grant client_credentials. */
                        tokenUrl: string;
                        /** @description The client's id; by default the username of the credential. */
                        clientId?: string;
                        /**
                         * @description The scopes that are requested.
                         * @default []
                         */
                        scopes?: string[];
                        /** @description The audience, for servers that require one. */
                        audience?: string;
                        /**
                         * @description How the client says who it is: HTTP Basic, or members of the body.
                         * @default basic
                         * @enum {string}
                         */
                        clientAuthentication?: "basic" | "body";
                    };
                    /** @description Sent beside the headers of the connector. */
                    headers?: unknown;
                };
            };
            /**
             * @description For calls that name none, where the server has no default.
             * @enum {string}
             */
            defaultEnvironment?: "staging" | "production";
            /**
             * @description How it wants to know who calls.
             * @default {
             *       "type": "none"
             *     }
             */
            auth?: {
                /**
                 * @description Nobody is asked who calls.
                 * @constant
                 */
                type: "none";
            } | {
                /**
                 * @description A key in a header or in the query.
                 * @constant
                 */
                type: "apiKey";
                /**
                 * @description Where it is sent.
                 * @enum {string}
                 */
                in: "header" | "query";
                /** @description The name of the header or of the query parameter. */
                name: string;
                /** @description Precedes the key and a space: `Token`, for example. */
                prefix?: string;
            } | {
                /**
                 * @description User and password, as HTTP has it.
                 * @constant
                 */
                type: "basic";
                /** @description The client's id; by default the username of the credential. */
                username?: string;
            } | {
                /**
                 * @description A token in the header Authorization.
                 * @constant
                 */
                type: "bearer";
            } | {
                /**
                 * @description Tokens of an authorization server.
                 * @constant
                 */
                type: "oauth2";
                /** @description Where tokens are asked for, with the grant client_credentials. */
                tokenUrl: string;
                /** @description The client's id; by default the username of the credential. */
                clientId?: string;
                /**
                 * @description The scopes that are requested.
                 * @default []
                 */
                scopes?: string[];
                /** @description The audience, for servers that require one. */
                audience?: string;
                /**
                 * @description How the client says who it is: HTTP Basic, or members of the body.
                 * @default basic
                 * @enum {string}
                 */
                clientAuthentication?: "basic" | "body";
            };
            /**
             * @description The stored credentials that may be used with it.
             * @default []
             */
            credentials?: string[];
            /**
             * @description Sent with every request.
             * @default {}
             */
            headers?: unknown;
            /**
             * @description Milliseconds that a call may take, all its attempts together.
             * @default 30000
             */
            timeoutMs?: number;
            /**
             * @description The most of an answer, decompressed.
             * @default 5242880
             */
            maxResponseBytes?: number;
            /**
             * @description Calls of one environment at once; as many more may wait.
             * @default 64
             */
            maxConcurrent?: number;
            /**
             * @description When a call is tried again, where that is safe.
             * @default {}
             */
            retry?: {
                /**
                 * @description In all; 1: none again.
                 * @default 3
                 */
                attempts?: number;
                /**
                 * @description Answers that are worth another attempt.
                 * @default [
                 *       429,
                 *       502,
                 *       503,
                 *       504
                 *     ]
                 */
                statuses?: number[];
            };
            /**
             * @description Whether redirects of GET and HEAD are followed, three at most and within the same origin.
             * @default false
             */
            followRedirects?: boolean;
            /**
             * @description Networks that are not public and may be reached: 10.1.0.0/16 for example. From the operator's command line alone.
             * @default []
             */
            allowPrivateNetworks?: string[];
            /** @description JSON Schemas that others refer to as #/schemas/NAME. */
            schemas?: {
                [key: string]: unknown;
            };
            /** @description What can be called, by slug. */
            resources: unknown;
        };
        PutCredential: {
            /** @description A user's name or a client's id, where there is one. */
            username?: string;
            /** @description The password, token, key or client secret. */
            secret: string;
            /** @description The hosts that it may be sent to, with OAuth that of the token URL, too. Required, unless it replaces one that has some and keeps them. */
            hosts?: string[];
        };
        PutModelProvider: {
            /**
             * @description Version of this format.
             * @default 1
             * @constant
             */
            version?: 1;
            /** @description As in the path, or left out. */
            name?: string;
            /**
             * @description The API to use; custom: any server with Chat Completions.
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
            /** @description Where it is reached; without one, at the vendor's own address. */
            baseUrl?: string;
            /** @description The key; left out or `set`, the stored one stays; null removes it. {"env": "NAME"} is the operator's. */
            apiKey?: (string | {
                /** @description The variable. */
                env: string;
            }) | null;
            /** @description Sent with every request. Left out, the stored ones stay; a value `set` keeps the stored one. */
            headers?: {
                [key: string]: string | {
                    /** @description The variable. */
                    env: string;
                };
            };
            /** @description The AWS region; only for bedrock. */
            region?: string;
            /** @description What a request that leaves them out is given. */
            defaults?: {
                /** @description 0 to 2. */
                temperature?: number;
                /** @description Maximum tokens of the answer. */
                maxTokens?: number;
                /** @description 0 to 1. */
                topP?: number;
                /** @description -2 to 2. */
                frequencyPenalty?: number;
                /** @description -2 to 2. */
                presencePenalty?: number;
                /** @description Texts before which the answer ends; by us where the provider cannot. */
                stop?: string[];
                /** @description Repeatable answers, if supported. */
                seed?: number;
                /** @description Extended reasoning. */
                thinking?: {
                    /**
                     * @description enabled: within a budget; adaptive: as much as the model sees fit; disabled: none.
                     * @enum {string}
                     */
                    type: "enabled" | "adaptive" | "disabled";
                    /** @description Tokens it may take, with enabled. */
                    budgetTokens?: number;
                };
                /** @description System instructions; they come before the messages. */
                instructions?: string;
                /** @description What the answer is to look like. */
                responseFormat?: {
                    /**
                     * @description Any text.
                     * @constant
                     */
                    type: "text";
                } | {
                    /**
                     * @description Some JSON object.
                     * @constant
                     */
                    type: "json_object";
                } | {
                    /**
                     * @description JSON that follows a schema.
                     * @constant
                     */
                    type: "json_schema";
                    /** @description The schema, as OpenAI takes it. */
                    json_schema: {
                        /** @description What the schema is called. */
                        name: string;
                        /** @description What it is for. */
                        description?: string;
                        /** @description The JSON Schema. */
                        schema: {
                            [key: string]: unknown;
                        };
                        /** @description Whether the answer must follow it exactly. */
                        strict?: boolean;
                    };
                };
            };
            /**
             * @description What its models can do, where it is known better.
             * @default {}
             */
            capabilities?: {
                /** @description Whether it is taken. */
                temperature?: boolean;
                /** @description Whether it is taken. */
                topP?: boolean;
                /** @description Whether it is taken. */
                frequencyPenalty?: boolean;
                /** @description Whether it is taken. */
                presencePenalty?: boolean;
                /** @description Whether it is taken. */
                seed?: boolean;
                /** @description The number of sequences that it takes; beyond them, the runtime cuts the answer. */
                stop?: number;
                /** @description Whether models can call functions. */
                tools?: boolean;
                /** @description Formats of answers besides text. */
                responseFormats?: ("json_object" | "json_schema")[];
                /** @description Tools that the provider itself runs. */
                serverTools?: ("web_search" | "code_execution")[];
                /**
                 * @description inline: only within the request.
                 * @enum {string}
                 */
                images?: "any" | "inline" | "none";
                /** @description Whether files are taken. */
                files?: boolean;
                /**
                 * @description How it is told to reason.
                 * @enum {string}
                 */
                thinking?: "effort" | "budget" | "adaptive" | "none";
                /** @description The most tokens of one answer; null: unknown. */
                maxOutputTokens?: number | null;
                /**
                 * @description The name of maxTokens in its API.
                 * @enum {string}
                 */
                maxTokensName?: "max_completion_tokens" | "max_tokens";
                /** @description Whether it takes stream_options. */
                streamUsage?: boolean;
            };
            /** @description US dollars for a million tokens; without it, that of the public table. */
            price?: {
                /** @description Price per million input tokens, in US dollars. */
                inputPerMillion: number;
                /** @description Price per million output tokens, in US dollars. */
                outputPerMillion: number;
            };
            /**
             * @description Tried in this order.
             * @default []
             */
            fallbacks?: {
                /** @description A configured provider; without one, that of the environment. */
                providerName?: string;
                /**
                 * @description The API to use; custom: any server with Chat Completions.
                 * @enum {string}
                 */
                provider: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai" | "custom";
                /** @description The model, by the name that the provider gives it. */
                model: string;
            }[];
            /**
             * @description Whether addresses that are not public may be reached.
             * @default false
             */
            allowPrivateNetwork?: boolean;
            /**
             * @description Whether images, whose addresses callers choose, may be loaded from such addresses.
             * @default false
             */
            allowPrivateImages?: boolean;
            /**
             * @description Whether a parameter that cannot be honoured is refused with 400; otherwise it is dropped.
             * @default false
             */
            strict?: boolean;
            /** @description Seconds to the first content, before a fallback. */
            timeout?: number;
        };
        QueriedTable: {
            rows: {
                [key: string]: unknown;
            }[];
            /** @description Events, groups or cohorts. */
            total: number;
            columns: components["schemas"]["Column"][];
            /** @description Unknown names, wrong types, why nothing matched, what was left out. */
            notes?: string[];
        };
        QueryBasis: {
            eventName: string;
            agentId: string | null;
            aggregation?: string;
            propertyKey?: string;
            numerator?: {
                [key: string]: unknown;
            };
            formula?: {
                [key: string]: unknown;
            };
            /** @description null: an approved metric was not used. */
            metric?: {
                name: string;
                version: number;
                /** @enum {string} */
                state: "proposed" | "approved" | "deprecated";
            } | null;
            filters: ({
                [key: string]: unknown;
            } | string)[];
            review?: {
                [key: string]: unknown;
            };
            segment?: {
                name: string;
                by: string;
                conditions: {
                    [key: string]: unknown;
                }[];
            };
            from: string | null;
            to: string | null;
            timezone: string;
            matchedEvents: number;
            lastEventAt: string | null;
            /** @description Handle of the events: for query_events. */
            cases?: string;
            retention?: {
                start: {
                    eventName: string;
                    filters: ({
                        [key: string]: unknown;
                    } | string)[];
                };
                returned: {
                    eventName: string;
                    filters: ({
                        [key: string]: unknown;
                    } | string)[];
                };
                by: string;
                dateGrouping: string;
                periods: number;
            };
        };
        Queue: {
            name: string;
            /** @description Such as Bad outcomes. */
            title?: string;
            /**
             * @description As of the list of executions. What an execution is when it enters the queue counts.
             * @default {}
             */
            filters: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this conversation. */
                threadId?: string;
                /** @description Only of this end user. */
                userId?: string;
                /** @description Only with this name. */
                name?: string;
                /** @description Only of this provider. */
                provider?: string;
                /** @description Only of this model. */
                model?: string;
                /**
                 * @description Only with this status.
                 * @enum {string}
                 */
                status?: "running" | "completed" | "failed" | "cancelled";
                /** @description Only with this tag. */
                tag?: string;
                /**
                 * @description Only with a step of this kind.
                 * @enum {string}
                 */
                kind?: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description Only with a review, or only without one. */
                hasReview?: boolean;
                /** @description The same as hasReview. */
                reviewed?: boolean;
                /**
                 * @description Only with a review of this rating.
                 * @enum {string}
                 */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only with an assessment, or only without one. */
                hasAssessment?: boolean;
                /** @description Only of at least so many US dollars. */
                minCost?: number;
                /** @description Only of at most so many US dollars. */
                maxCost?: number;
                /** @description Only of at least so many milliseconds. */
                minLatencyMs?: number;
                /** @description Only of at most so many milliseconds. */
                maxLatencyMs?: number;
                /** @description Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded. */
                dateFrom?: string;
                /** @description Started before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Words of messages and output, all of them, by their stems as in reviews. Words of the last second may be missing, and those beyond the first 200,000 characters of an execution. */
                search?: string;
            };
            /** @description The share of the matching executions that enters, such as 0.1. Always the same ones. */
            share?: number;
            /** @description Only executions in whose thread such an event followed. They may enter a few seconds after it. */
            outcome?: {
                eventName: string;
                /** @description As in queries of events. */
                filters?: unknown[];
            };
            /** @description The name of the rubric that assessors answer. */
            rubric?: string;
            /**
             * @description An item is done when so many people are done with it.
             * @default 1
             */
            assessors: number;
            /** @description The users who may have items. Default: everybody with the scope. */
            userIds?: string[];
            /** @description How many are not done. Counted up to 1,000: so many means that or more. */
            waiting: number;
            /** @description How many are done. */
            done: number;
            createdAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
            updatedAt: string;
            /** @description Who finished or skipped something, by label; at most 1,000. */
            people: {
                /** @enum {string} */
                type: "user" | "key";
                /** @description The id of the user or of the key. */
                id: string;
                /** @description E-mail of the user or label of the key. */
                label: string;
                /** @description Items that they finished. */
                done: number;
                /** @description Items that they put away. */
                skipped: number;
            }[];
        };
        QueueList: {
            /** @description One page, by name. */
            queues: components["schemas"]["QueueRow"][];
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description The number of all queues. */
            total: number;
        };
        QueueRow: {
            name: string;
            /** @description Such as Bad outcomes. */
            title?: string;
            /**
             * @description As of the list of executions. What an execution is when it enters the queue counts.
             * @default {}
             */
            filters: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this conversation. */
                threadId?: string;
                /** @description Only of this end user. */
                userId?: string;
                /** @description Only with this name. */
                name?: string;
                /** @description Only of this provider. */
                provider?: string;
                /** @description Only of this model. */
                model?: string;
                /**
                 * @description Only with this status.
                 * @enum {string}
                 */
                status?: "running" | "completed" | "failed" | "cancelled";
                /** @description Only with this tag. */
                tag?: string;
                /**
                 * @description Only with a step of this kind.
                 * @enum {string}
                 */
                kind?: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description Only with a review, or only without one. */
                hasReview?: boolean;
                /** @description The same as hasReview. */
                reviewed?: boolean;
                /**
                 * @description Only with a review of this rating.
                 * @enum {string}
                 */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only with an assessment, or only without one. */
                hasAssessment?: boolean;
                /** @description Only of at least so many US dollars. */
                minCost?: number;
                /** @description Only of at most so many US dollars. */
                maxCost?: number;
                /** @description Only of at least so many milliseconds. */
                minLatencyMs?: number;
                /** @description Only of at most so many milliseconds. */
                maxLatencyMs?: number;
                /** @description Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded. */
                dateFrom?: string;
                /** @description Started before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Words of messages and output, all of them, by their stems as in reviews. Words of the last second may be missing, and those beyond the first 200,000 characters of an execution. */
                search?: string;
            };
            /** @description The share of the matching executions that enters, such as 0.1. Always the same ones. */
            share?: number;
            /** @description Only executions in whose thread such an event followed. They may enter a few seconds after it. */
            outcome?: {
                eventName: string;
                /** @description As in queries of events. */
                filters?: unknown[];
            };
            /** @description The name of the rubric that assessors answer. */
            rubric?: string;
            /**
             * @description An item is done when so many people are done with it.
             * @default 1
             */
            assessors: number;
            /** @description The users who may have items. Default: everybody with the scope. */
            userIds?: string[];
            /** @description How many are not done. Counted up to 1,000: so many means that or more. */
            waiting: number;
            /** @description How many are done. */
            done: number;
            createdAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
            updatedAt: string;
        };
        QuotaChanges: {
            /** @description Stored events. Null removes this and every other quota. */
            events?: number | null;
            /** @description Bytes of stored documents. */
            documents?: number | null;
            /** @description Bytes of messages that wait to be delivered, in place of 64 MB. */
            deliveries?: number | null;
            /** @description Requests a minute, in place of AGENT_RUNTIME_RATE_LIMIT. */
            "requests-per-minute"?: number | null;
            /** @description Tokens of chats in a day. */
            "tokens-per-day"?: number | null;
            /** @description Tokens of chats in a month. */
            "tokens-per-month"?: number | null;
            /** @description US dollars of chats in a day. */
            "cost-per-day"?: number | null;
            /** @description US dollars of chats in a month. */
            "cost-per-month"?: number | null;
        };
        QuotaUsage: {
            /**
             * @description The name of the quota, which errors use as well.
             * @enum {string}
             */
            quota: "events" | "documents" | "deliveries" | "requests-per-minute" | "tokens-per-day" | "tokens-per-month" | "cost-per-day" | "cost-per-month";
            /**
             * @description The unit that it counts.
             * @enum {string}
             */
            unit: "events" | "bytes" | "requests" | "tokens" | "USD";
            /** @description The amount that is allowed: for budgets in a window, for requests in a minute. */
            limit: number;
            /** @description The amount that is used. */
            used: number;
            /** @description The amount that is set aside for chats that have not ended. */
            reserved: number;
            /** @description The amount that is left; never negative. */
            remaining: number;
            /** @description When the current window began; null: the quota has none. */
            windowStart: string | null;
            /** @description When the next window begins; null: the quota has none. */
            windowEnd: string | null;
        };
        RateConfig: {
            /** @description A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator. */
            metric?: string;
            eventName?: string;
            numerator?: {
                eventName?: string;
                filters?: components["schemas"]["EventFilter"][];
            };
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
            /** @enum {string} */
            compareTo?: "previous_period";
            /** @description How the value is written. Its members replace those of the metric. */
            format?: {
                prefix?: string;
                suffix?: string;
                decimals?: number;
                /** @description Writes 0.25 as 25%, as a rate is by default. */
                percent?: boolean;
            };
        };
        RecordExecution: {
            /** @description Your own id. A repeated one changes that execution; without one, one is made. */
            id?: string;
            /** @description Default: the key's agent, else `default`. Stays what it was first. */
            agentId?: string;
            /** @description The conversation that the execution belongs to. */
            threadId?: string | null;
            /** @description The end user it ran for, by the id that your application uses. */
            userId?: string | null;
            /** @description At most 50 tags of at most 100 characters; [] removes them. */
            tags?: string[] | null;
            /** @description What ran, such as the name of a workflow. */
            name?: string | null;
            /** @description Flat facts of your own: texts, numbers, true or false; 16 KB as JSON. Replaces what was recorded. */
            metadata?: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description The execution that started this one. It may be recorded later; two may not be parents of one another. */
            parentId?: string | null;
            /** @description US dollars. Without it the usage has the public price of the model. */
            cost?: number | null;
            /** @description Steps to add, or to change by their id. */
            steps?: {
                /** @description Your own id, unique within the execution. A repeated one changes that step. */
                id: string;
                /** @description The step within which it ran; it may be sent later. Without one it belongs to the execution itself. */
                parentId?: string | null;
                /**
                 * @description model: a call of a model; tool: of a tool; retrieval: a search for knowledge; agent: a part of the agent.
                 * @enum {string}
                 */
                kind: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description The name of the tool, the model, the search. */
                name: string;
                /**
                 * Format: date-time
                 * @description ISO 8601.
                 */
                startedAt: string;
                /** @description ISO 8601; left out while it runs. */
                endedAt?: string | null;
                /** @description Default: error with an error, else ok with an end. */
                status?: ("ok" | "error") | null;
                /** @description Why it failed: a text, or `{kind, message}`. */
                error?: (string | {
                    /** @description A word for the kind, such as timeout. */
                    kind?: string | null;
                    /** @description What went wrong. */
                    message: string;
                }) | null;
                /** @description What went in: any JSON value. */
                input?: unknown;
                /** @description What came out: any JSON value. */
                output?: unknown;
                /** @description Who ran the model. */
                provider?: string | null;
                /** @description The model that was called. */
                model?: string | null;
                /** @description TokenCounts and the like, as the provider counted them. */
                usage?: {
                    [key: string]: unknown;
                } | null;
                /** @description US dollars. Without it the usage has the public price of the model. */
                cost?: number | null;
                /** @description Anything else that is known of it. */
                attributes?: {
                    [key: string]: unknown;
                } | null;
            }[] | null;
            /** @description The whole conversation so far; it replaces what was recorded before. An empty one changes nothing. */
            messages?: components["schemas"]["ChatMessage"][];
            /** @description What came out: a text, or any JSON value; null: nothing yet. */
            output?: unknown;
            /**
             * @description Default: completed with an output or a completedAt, else running.
             * @enum {string}
             */
            status?: "running" | "completed" | "failed" | "cancelled";
            /** @description Who ran the model, openai for example. */
            provider?: string | null;
            /** @description Which one. */
            model?: string | null;
            /** @description TokenCounts and the like, as the provider counted them. Default: the sum of the model steps. */
            usage?: {
                [key: string]: unknown;
            } | null;
            /** @description ISO 8601; from 1900 to 24 hours ahead. */
            startedAt?: string | null;
            /** @description Default: the moment in which it came to an end. */
            completedAt?: string | null;
        };
        RecordSteps: {
            /** @description Steps to add, or to change by their id. */
            steps: {
                /** @description Your own id, unique within the execution. A repeated one changes that step. */
                id: string;
                /** @description The step within which it ran; it may be sent later. Without one it belongs to the execution itself. */
                parentId?: string | null;
                /**
                 * @description model: a call of a model; tool: of a tool; retrieval: a search for knowledge; agent: a part of the agent.
                 * @enum {string}
                 */
                kind: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description The name of the tool, the model, the search. */
                name: string;
                /**
                 * Format: date-time
                 * @description ISO 8601.
                 */
                startedAt: string;
                /** @description ISO 8601; left out while it runs. */
                endedAt?: string | null;
                /** @description Default: error with an error, else ok with an end. */
                status?: ("ok" | "error") | null;
                /** @description Why it failed: a text, or `{kind, message}`. */
                error?: (string | {
                    /** @description A word for the kind, such as timeout. */
                    kind?: string | null;
                    /** @description What went wrong. */
                    message: string;
                }) | null;
                /** @description What went in: any JSON value. */
                input?: unknown;
                /** @description What came out: any JSON value. */
                output?: unknown;
                /** @description Who ran the model. */
                provider?: string | null;
                /** @description The model that was called. */
                model?: string | null;
                /** @description TokenCounts and the like, as the provider counted them. */
                usage?: {
                    [key: string]: unknown;
                } | null;
                /** @description US dollars. Without it the usage has the public price of the model. */
                cost?: number | null;
                /** @description Anything else that is known of it. */
                attributes?: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        RenderCards: {
            /** @description The answer has the cards in this order. */
            ids: string[];
            /** @description Replaces the card's range, in the format of a config. The dateGrouping then suits the new range. */
            dateFrom?: string;
            /** @description Replaces the card's dateTo; with dateFrom alone the range ends now. */
            dateTo?: string;
            /** @description Replaces the card's time zone: an IANA name. */
            timezone?: string;
        };
        RenderedCard: {
            card: {
                id: string;
                title: string;
                /** @enum {string} */
                cardType: "number" | "rate" | "line" | "bar" | "pie" | "table" | "funnel" | "gauge";
            };
            data: {
                value: number | null;
                numerator?: number;
                denominator?: number;
                parts?: {
                    [key: string]: number | null;
                };
                previous?: {
                    value: number | null;
                    change: number | null;
                    changeRatio: number | null;
                    from: string;
                    to: string;
                };
                formatted: string;
                /** @description How the value is written. Its members replace those of the metric. */
                format?: {
                    prefix?: string;
                    suffix?: string;
                    decimals?: number;
                    /** @description Writes 0.25 as 25%, as a rate is by default. */
                    percent?: boolean;
                };
                /** @description The metric's; `format` has it if it is written. */
                unit?: string;
                /**
                 * @description Whether a rise or a fall is good; left out: neither.
                 * @enum {string}
                 */
                goodDirection?: "up" | "down" | "none";
                min?: number;
                max?: number;
                target?: number;
                thresholds?: {
                    value: number;
                    label?: string;
                    color?: string;
                }[];
            } | {
                series: {
                    bucket: string;
                    /** @description Several keys give an object. null: absent. */
                    group?: string | number | boolean | Record<string, never> | unknown[] | null;
                    value: number | null;
                    numerator?: number;
                    denominator?: number;
                }[];
                annotations?: {
                    at: string;
                    text: string;
                }[];
                /** @description How the value is written. Its members replace those of the metric. */
                format?: {
                    prefix?: string;
                    suffix?: string;
                    decimals?: number;
                    /** @description Writes 0.25 as 25%, as a rate is by default. */
                    percent?: boolean;
                };
                /** @description The metric's; `format` has it if it is written. */
                unit?: string;
                /**
                 * @description Whether a rise or a fall is good; left out: neither.
                 * @enum {string}
                 */
                goodDirection?: "up" | "down" | "none";
            } | {
                groups: {
                    /** @description Several keys give an object. null: absent. */
                    group: string | number | boolean | Record<string, never> | unknown[] | null;
                    value: number | null;
                    numerator?: number;
                    denominator?: number;
                    parts?: {
                        [key: string]: number | null;
                    };
                    previous?: {
                        value: number | null;
                        change: number | null;
                        changeRatio: number | null;
                    };
                }[];
                /** @description How the value is written. Its members replace those of the metric. */
                format?: {
                    prefix?: string;
                    suffix?: string;
                    decimals?: number;
                    /** @description Writes 0.25 as 25%, as a rate is by default. */
                    percent?: boolean;
                };
                /** @description The metric's; `format` has it if it is written. */
                unit?: string;
                /**
                 * @description Whether a rise or a fall is good; left out: neither.
                 * @enum {string}
                 */
                goodDirection?: "up" | "down" | "none";
            } | {
                rows: {
                    [key: string]: unknown;
                }[];
                /** @description Events, groups or cohorts. */
                total: number;
                columns: components["schemas"]["Column"][];
                nextOffset?: number;
            } | {
                steps: {
                    label: string;
                    eventName: string;
                    count: number;
                    conversion: number | null;
                }[];
            };
            basis: components["schemas"]["FunnelBasis"] | components["schemas"]["QueryBasis"];
            note?: string;
            /** @description Unknown names, wrong types, why nothing matched, what was left out. */
            notes?: string[];
        };
        RequestKey: {
            /**
             * @description The agent that the key is bound to; null: to none.
             * @default null
             */
            agentId?: string | null;
            /** @description Shown as author of what is done with the key. */
            label: string;
            /** @description What the key may do; `*` is everything. */
            scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write" | "*")[];
            /** @description What the key is held to; see docs/limits-below-tenant.md. By default what you are. */
            limits?: components["schemas"]["Limits"] | null;
            /** @description When the key expires, in UTC where the offset is missing; null: never. By default AGENT_RUNTIME_KEY_LIFETIME from now, or never where that is not set. Only administrators may go beyond that. */
            expiresAt?: string | null;
        };
        Review: {
            /** @description Made by the server, a UUID. */
            id: string;
            /** @description The execution that is reviewed; it has no other review. */
            executionId: string;
            /** @description The agent that executed. */
            agentId: string;
            /**
             * @description How good the outcome was.
             * @enum {string}
             */
            rating: "good" | "bad" | "needs_improvement";
            /**
             * @description How far the work on it is.
             * @enum {string}
             */
            status: "pending_review" | "in_progress" | "resolved" | "wont_fix";
            /**
             * @description How soon it matters.
             * @enum {string}
             */
            priority: "low" | "medium" | "high" | "critical";
            /** @description What the reviewer says. */
            comment: string;
            /** @description Free labels, each once. */
            tags: string[];
            /** @description What was done about it. */
            actionTaken: string | null;
            /** @description How it was resolved. */
            resolutionNotes: string | null;
            /** @description What the agent should have answered. */
            correctedOutput: string | null;
            /** @description Label of the key, or e-mail of the user, that created it. */
            reviewedBy: string;
            /** @description Label of the key, or e-mail of the user, that changed it last. */
            updatedBy: string | null;
            /** @description Who resolved it; null unless its status is resolved. */
            resolvedBy: string | null;
            /** @description ISO 8601; null unless its status is resolved. */
            resolvedAt: string | null;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601; of the creation or the last change. */
            updatedAt: string;
        };
        ReviewOutcomes: {
            /** @description The event that was asked for. */
            eventName: string;
            /** @description One for each rating. */
            ratings: {
                /**
                 * @description The rating of these reviews.
                 * @enum {string}
                 */
                rating: "good" | "bad" | "needs_improvement";
                /** @description Reviews with this rating. */
                reviews: number;
                /** @description Of these, executions that the event named, or in whose thread it followed at or after their start. */
                converted: number;
            }[];
            /** @description There are more reviews: these are the newest 10,000. */
            isCut: boolean;
        };
        ReviewStats: {
            /** @description All reviews of the agent. */
            total: number;
            /** @description Reviews with the status pending_review. */
            pending: number;
            /** @description Reviews with the status in_progress. */
            inProgress: number;
            /** @description Reviews with the status resolved. */
            resolved: number;
            /** @description Reviews with the rating bad. */
            badReviews: number;
            /** @description Reviews with the rating needs_improvement. */
            needsImprovement: number;
            /** @description Reviews with the priority critical. */
            critical: number;
            /** @description Reviews with the priority high. */
            highPriority: number;
            /** @description Average hours from creation to resolution of the resolved reviews; 0 if there are none. */
            avgResolutionHours: number;
        };
        RotateKey: {
            /**
             * @description For how long the secret that is replaced works beside the new one; 0: it is void at once.
             * @default 0
             */
            overlapSeconds?: number;
        };
        RotatedKey: {
            /** @description The key itself. Keep it now. */
            key: string;
            /** @description The part between `ar_` and the second underscore. */
            id: string;
            /** @description Id of its tenant. */
            tenantId: string;
            /** @description The agent that the key is bound to; null: to none. */
            agentId: string | null;
            /** @description Shown as author of what is done with the key. */
            label: string;
            /** @description What the key may do; `*` is everything. */
            scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write" | "*")[];
            /** @description What the key is held to; left out: to nothing below the tenant. */
            limits?: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            };
            /** @description When the key expires; null: never. */
            expiresAt: string | null;
            /** @description Until when the secret before the last rotation works, too; null: it does not. */
            formerSecretUntil: string | null;
        };
        Rubric: {
            /** @description Names the rubric in every version. */
            name: string;
            /** @description What people read. */
            title: string;
            /** @description In the order in which they are asked. */
            questions: {
                /** @description Names the question in answers. */
                id: string;
                /** @description The question as people read it. */
                text: string;
                /**
                 * @description boolean: yes or no. choice: one of `choices`. scale: 1 to 5. text: free text.
                 * @enum {string}
                 */
                type: "boolean" | "choice" | "scale" | "text";
                /** @description Only of a choice, which needs them. */
                choices?: string[];
                /** @description How to answer it. */
                guidance?: string;
            }[];
            /** @description 1, and one more with each change. */
            version: number;
            /** @description ISO 8601; of this version. */
            createdAt: string;
            /** @description Label of the key, or e-mail of the user, that made this version. */
            createdBy: string;
        };
        SampleData: {
            /**
             * @description `loading` also where a load was interrupted: remove it, then load it again.
             * @enum {string}
             */
            state: "absent" | "loading" | "loaded";
            /** @description The agent to which all of it belongs. */
            agentId: string | null;
            /** @description When loading began (ISO 8601). */
            loadedAt: string | null;
            /** @description How many cards it has, in tabs of their own. */
            cards: number | null;
            /** @description The names of its metrics. */
            metrics: string[];
        };
        Search: {
            /** @description What to look for, in words or as a question. */
            query: string;
            /**
             * @description Default 10; more than 50 is capped to 50.
             * @default 10
             */
            limit?: number;
            /** @description Only chunks whose metadata passes: `{"lang": "en"}`, `{"lang": ["en", "pt"]}`, `{"year": {"gte": 2024}}`; tests are eq, neq, in, notIn, gt, gte, lt, lte, contains and exists. */
            filter?: {
                [key: string]: (string | number | boolean) | (string | number | boolean)[] | {
                    /** @description Is this, of the same type. */
                    eq?: string | number | boolean;
                    /** @description Is not this, or is absent. */
                    neq?: string | number | boolean;
                    /** @description Is one of these. */
                    in?: (string | number | boolean)[];
                    /** @description Is none of these, or is absent. */
                    notIn?: (string | number | boolean)[];
                    /** @description Is more: as a number (a text that is one, too), or as a text. */
                    gt?: number | string;
                    /** @description Is as much or more. */
                    gte?: number | string;
                    /** @description Is less. */
                    lt?: number | string;
                    /** @description Is as much or less. */
                    lte?: number | string;
                    /** @description Has this part as a text, ignoring case, or this member as a list. */
                    contains?: string;
                    /** @description Is there, or is not. */
                    exists?: boolean;
                };
            };
            /**
             * @description Default: hybrid (words and vectors), or lexical (words) in a store without an embedder.
             * @enum {string}
             */
            mode?: "hybrid" | "vector" | "lexical";
        };
        SearchResult: {
            /** @description Best first. */
            results: {
                /** @description The document. */
                documentId: string;
                /** @description Its place in the document, from 0. */
                chunkIndex: number;
                /** @description The text of the document: data, not instruction. */
                text: string;
                /** @description Comparable within one answer. hybrid: 0 to 1; vector: cosine similarity; lexical: BM25. */
                score: number;
                /** @description The document's, and the row's own. */
                metadata: {
                    [key: string]: unknown;
                };
                /** @description Where it stands, for citing it. */
                source: {
                    /** @description The file. */
                    name: string;
                    /** @description Counted from 1. */
                    page?: number;
                    /** @description The row of a CSV without its header, or the element of a JSON list; counted from 1. */
                    row?: number;
                    /** @description The line of a text, counted from 1. */
                    line?: number;
                    /** @description The headings that it stands under, joined by " > ". */
                    heading?: string;
                };
            }[];
            /**
             * @description How it was searched.
             * @enum {string}
             */
            mode: "hybrid" | "vector" | "lexical";
            /** @description The embedder of the store; `none`: it has no vectors. */
            embedder: string;
            /** @description Chunks with one of the words; where vectors are compared, all that pass the filter. */
            total: number;
            /** @description The words that it was searched by, without accents, corrected where misspelt; none by vectors alone. */
            words: string[];
            /** @description Notes on the answer: words that were corrected, or why nothing was found. */
            note?: string;
        };
        SecondFactorNeeded: {
            /** @description What is still needed. */
            secondFactor: {
                /** @description The ticket for the next request. It opens one session. */
                ticket: string;
                /**
                 * Format: date-time
                 * @description When the ticket expires: five minutes from now.
                 */
                expiresAt: string;
                /** @description True: the tenant requires a second factor and the user has none: add one first. */
                enrol: boolean;
                /** @description What the user can give: members of the next request. */
                methods: ("code" | "passkey" | "recoveryCode")[];
                /** @description Options for `navigator.credentials.get`; null without a passkey. */
                passkeyOptions: {
                    [key: string]: unknown;
                } | null;
            };
        };
        SecondFactors: {
            /** @description Whether the tenant requires a second factor of the user. */
            required: boolean;
            /** @description The authenticator app; null: none. */
            totp: {
                /**
                 * Format: date-time
                 * @description When it was added.
                 */
                createdAt: string;
                /** @description When it was last used; null: never. */
                lastUsedAt: string | null;
            } | null;
            /** @description Oldest first. */
            passkeys: components["schemas"]["Passkey"][];
            /** @description How many are left. */
            recoveryCodes: number;
            /** @description Where passkeys work; null: not at the address of this request, an IP address for example. */
            passkeyHost: string | null;
        };
        Segment: {
            name: string;
            /** @description Such as Repeat buyers. */
            title?: string;
            /** @description Whom it holds, and whom it leaves out. */
            description?: string;
            /** @description Whose events are counted: threadId, or a property key such as customer. */
            by: string;
            /** @description All must hold. */
            conditions: {
                eventName: string;
                filters?: unknown[];
                /** @description Events that match; default 1. */
                atLeast?: number;
                /** @description Included, as in events/query, in the time zone and at the time of the question. */
                dateFrom?: string;
                /** @description Not included, but a day or period is included whole. */
                dateTo?: string;
            }[];
            createdAt: string;
            /** @description Label of the key or e-mail of the user. */
            createdBy: string;
            updatedAt: string;
        };
        Session: {
            /** @description Whose token it is. */
            user: components["schemas"]["SessionUser"];
            /** @description The user's tenant. */
            tenant: {
                /** @description Id of the tenant. */
                id: string;
                /** @description Name of the tenant. */
                name: string;
                /** @description IANA name of its time zone. */
                timezone: string;
            };
            /** @description What the role allows on runtime endpoints; `*` is everything. */
            scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write" | "*")[];
            /** @description What the role is held to; empty: to nothing below the tenant. */
            limits: {
                /** @description Only what these agents recorded. */
                agents?: string[];
                /** @description Only events of these names. */
                eventNames?: string[];
                /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                filters?: unknown[];
                /** @description Only events of the subjects of this saved segment. */
                segment?: string;
                /** @description Only these vector stores. */
                vectorStores?: string[];
                /** @description Only connectors with these slugs. */
                connectors?: string[];
                /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                models?: string[];
            }[];
            /** @description Whether the user may do what concerns the whole installation: a SUPER_ADMIN of its only tenant. */
            operates: boolean;
        };
        SessionOfUser: {
            /** @description Id of the session. */
            id: string;
            /** @description Whether it is the session of the token that asks. */
            current: boolean;
            /**
             * Format: date-time
             * @description When the user logged in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its token was last used, to five minutes.
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            expiresAt: string;
            /** @description Where the login came from; of IPv6 the network. */
            address: string;
            /** @description How the client named itself, at most 200 characters; null: it did not. */
            userAgent: string | null;
            /** @description Whose session it is. */
            user: {
                /** @description Id of the user. */
                id: string;
                /** @description The name of the person. */
                name: string;
                /** @description The e-mail address. */
                email: string;
                /**
                 * @description The role of the user.
                 * @enum {string}
                 */
                role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            };
        };
        SessionUser: {
            /** @description Id of the user. */
            id: string;
            /** @description The e-mail address, spelled as it was entered. */
            email: string;
            /** @description The name of the person. */
            name: string;
            /**
             * @description What the user may do; see docs/portal.md.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /** @description Id of the tenant that the user belongs to. */
            tenantId: string;
            /** @description The language of the pages of the user; null: that of the browser. */
            language: ("en" | "pt") | null;
        };
        SetCredential: {
            /** @description What definitions and calls name it by. */
            name: string;
            /**
             * @description Whether it is new, or took the place of another.
             * @enum {string}
             */
            outcome: "created" | "changed";
        };
        Settings: {
            /** @description IANA name: what dates without an offset mean, and where days begin. */
            timezone: string;
            /** @description The days for which events are kept; null: for ever. */
            retentionDays: number | null;
            /** @description The days for which executions are kept, by their start; their reviews stay. null: for ever. */
            executionRetentionDays: number | null;
            /**
             * @description Who needs a second factor, from their next login on; see docs/second-factor.md.
             * @enum {string}
             */
            secondFactor: "optional" | "administrators" | "everyone";
            /** @description Whether its users may log in with a password; docs/sso.md has the conditions for false. */
            passwordLogin: boolean;
            /** @description What users of a role, and applications that act for them, are held to; see docs/limits-below-tenant.md. */
            roleLimits: {
                [key: string]: {
                    /** @description Only what these agents recorded. */
                    agents?: string[];
                    /** @description Only events of these names. */
                    eventNames?: string[];
                    /** @description Only events that pass all of them, such as `country` `eq` `BR`. */
                    filters?: unknown[];
                    /** @description Only events of the subjects of this saved segment. */
                    segment?: string;
                    /** @description Only these vector stores. */
                    vectorStores?: string[];
                    /** @description Only connectors with these slugs. */
                    connectors?: string[];
                    /** @description Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text. */
                    models?: string[];
                };
            } | null;
        };
        ShareTab: {
            /** @description When the link expires; null: never; left out: in 30 days. */
            expiresAt?: string | null;
        };
        SharedTab: {
            /** @description The name of the tab. */
            title: string;
            /** @description The number of its cards. */
            total: number;
            /** @description The first 50 of them, from top to bottom. */
            cards: {
                /** @description Its number on the page, from 1. */
                number: number;
                /** @description The title of the card. */
                title: string;
                /**
                 * @description The type of the card.
                 * @enum {string}
                 */
                cardType: "number" | "rate" | "line" | "bar" | "pie" | "table" | "funnel" | "gauge";
                /** @description Its place in the grid of twelve columns. */
                gridLayout: {
                    x: number;
                    y: number;
                    w: number;
                    h: number;
                } | null;
                /** @description Null where the card cannot be answered now. */
                answer: {
                    data: {
                        value: number | null;
                        numerator?: number;
                        denominator?: number;
                        previous?: {
                            value: number | null;
                            change: number | null;
                            changeRatio: number | null;
                        };
                        formatted: string;
                        /** @description How the value is written. Its members replace those of the metric. */
                        format?: {
                            prefix?: string;
                            suffix?: string;
                            decimals?: number;
                            /** @description Writes 0.25 as 25%, as a rate is by default. */
                            percent?: boolean;
                        };
                        /** @description The metric's; `format` has it if it is written. */
                        unit?: string;
                        /**
                         * @description Whether a rise or a fall is good; left out: neither.
                         * @enum {string}
                         */
                        goodDirection?: "up" | "down" | "none";
                        min?: number;
                        max?: number;
                        target?: number;
                        thresholds?: {
                            value: number;
                            label?: string;
                            color?: string;
                        }[];
                    } | {
                        series: {
                            bucket: string;
                            /** @description Several keys give an object. null: absent. */
                            group?: string | number | boolean | Record<string, never> | unknown[] | null;
                            value: number | null;
                            numerator?: number;
                            denominator?: number;
                        }[];
                        annotations?: {
                            at: string;
                            text: string;
                        }[];
                        /** @description How the value is written. Its members replace those of the metric. */
                        format?: {
                            prefix?: string;
                            suffix?: string;
                            decimals?: number;
                            /** @description Writes 0.25 as 25%, as a rate is by default. */
                            percent?: boolean;
                        };
                        /** @description The metric's; `format` has it if it is written. */
                        unit?: string;
                        /**
                         * @description Whether a rise or a fall is good; left out: neither.
                         * @enum {string}
                         */
                        goodDirection?: "up" | "down" | "none";
                    } | {
                        groups: {
                            /** @description Several keys give an object. null: absent. */
                            group: string | number | boolean | Record<string, never> | unknown[] | null;
                            value: number | null;
                            numerator?: number;
                            denominator?: number;
                            previous?: {
                                value: number | null;
                                change: number | null;
                                changeRatio: number | null;
                            };
                        }[];
                        /** @description How the value is written. Its members replace those of the metric. */
                        format?: {
                            prefix?: string;
                            suffix?: string;
                            decimals?: number;
                            /** @description Writes 0.25 as 25%, as a rate is by default. */
                            percent?: boolean;
                        };
                        /** @description The metric's; `format` has it if it is written. */
                        unit?: string;
                        /**
                         * @description Whether a rise or a fall is good; left out: neither.
                         * @enum {string}
                         */
                        goodDirection?: "up" | "down" | "none";
                    } | components["schemas"]["Table"] | {
                        steps: {
                            label: string;
                            eventName: string;
                            count: number;
                            conversion: number | null;
                        }[];
                    };
                    basis: {
                        aggregation?: string;
                        from: string | null;
                        to: string | null;
                        timezone: string;
                        matchedEvents: number;
                    };
                } | null;
            }[];
        };
        Step: {
            /** @description The sender's id; of a call in a message, that of the call. */
            id: string;
            /** @description The step within which it ran; it may not have come yet. */
            parentId: string | null;
            /**
             * @description What it did.
             * @enum {string}
             */
            kind: "agent" | "model" | "tool" | "retrieval" | "other";
            /** @description The name of the tool, the model, the search. */
            name: string;
            /** @description How it ended; null while it runs, or when the sender gave none. */
            status: ("ok" | "error") | null;
            /** @description Why it failed. */
            error: {
                /** @description A word for the kind. */
                kind: string | null;
                /** @description What went wrong. */
                message: string;
            } | null;
            /** @description ISO 8601; null of a call in a message. */
            startedAt: string | null;
            /** @description ISO 8601; null while it runs. */
            endedAt: string | null;
            /** @description What went in; null when nothing was sent. */
            input: unknown;
            /** @description What came out; null when nothing was sent. */
            output: unknown;
            /** @description Who ran the model. */
            provider: string | null;
            /** @description The model that was called. */
            model: string | null;
            /** @description As the provider counted it. */
            usage: {
                [key: string]: unknown;
            } | null;
            /** @description TokenCounts of the input, cached ones included; null when not said. */
            inputTokens: number | null;
            /** @description TokenCounts of the output, reasoning included. */
            outputTokens: number | null;
            /** @description Both together. */
            totalTokens: number | null;
            /** @description US dollars; null when it is not known. */
            cost: number | null;
            /** @description sent: the sender's own; priced: by the public prices of the model. null without a cost. */
            costBasis: ("sent" | "priced") | null;
            /** @description Anything else that the sender said of it. */
            attributes: {
                [key: string]: unknown;
            };
            /** @description Whether it is a tool call of the recorded messages, which was not sent as a step. */
            isFromMessages: boolean;
        };
        StepList: {
            /** @description One page in the order of their starts. */
            steps: components["schemas"]["Step"][];
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description The number of recorded steps. */
            total: number;
        };
        Storage: {
            /**
             * @description Everything in a data directory, or in databases that nodes share.
             * @enum {string}
             */
            kind: "files" | "nodes";
            /** @description The data directory; null on nodes. */
            place: string | null;
            /** @description One entry for each store. */
            stores: {
                /**
                 * @description What is stored.
                 * @enum {string}
                 */
                store: "events" | "spool" | "state" | "vectors" | "uploads" | "quarantine" | "snapshots" | "logs";
                /** @description Its size on disk; null: unknown, see `note`. */
                bytes: number | null;
                /** @description How many `counted` it has; null: they are not counted. */
                count: number | null;
                /** @description What is counted: "events", "files". */
                counted: string | null;
                /** @description Why a figure is missing, or where it is. */
                note: string | null;
            }[];
            /** @description The disk of the data directory; null on nodes. */
            disk: {
                /** @description What the server may still write. */
                freeBytes: number;
                /** @description The size of the file system. */
                totalBytes: number;
            } | null;
        };
        System: {
            /** @description What runs here. */
            versions: {
                /** @description The program, Node.js, or a database. */
                name: string;
                /** @description Its version; null: it does not say so at the moment. */
                version: string | null;
            }[];
            /**
             * Format: date-time
             * @description When this process started.
             */
            startedAt: string;
            /** @description Where data is. */
            data: {
                /**
                 * @description Everything in a data directory, or in databases that nodes share.
                 * @enum {string}
                 */
                kind: "files" | "nodes";
                /** @description The data directory of this process. */
                directory: string;
            };
            /** @description The memory of this process. */
            memory: {
                /** @description What the server plans with. */
                limitBytes: number;
                /** @description Who set the limit; null: nobody, other programs use the memory too. */
                limitedBy: string | null;
                /** @description What is in use and cannot be taken back. */
                usedBytes: number;
            };
            /** @description The nodes that are alive; null: one process has everything in files. */
            nodes: {
                /** @description An id that the process has until it ends. */
                id: string;
                /** @description Whether it is the node that answers. */
                isThis: boolean;
                /**
                 * Format: date-time
                 * @description Its last heartbeat; it sends one every 15 seconds.
                 */
                seenAt: string;
                /** @description What it does for all nodes. */
                tasks: string[];
            }[] | null;
            /** @description AGENT_RUNTIME_LOG_LEVEL: lines below it are not kept. */
            logLevel: string;
            /** @description The last 100 warnings and errors of this process, newest first, without contents and secrets. */
            recentErrors: {
                /**
                 * Format: date-time
                 * @description When it was logged.
                 */
                at: string;
                /** @description `warn`, `error` or `fatal`. */
                level: string;
                /** @description What happened. */
                message: string;
                /** @description The reason, as far as the line has one. */
                detail: string | null;
                /** @description The request in which it happened, to find it in the log. */
                requestId: string | null;
            }[];
        };
        Tab: {
            id: string;
            agentId: string;
            name: string;
            sortOrder: number;
            createdAt: string;
            updatedAt: string;
        };
        Table: {
            rows: {
                [key: string]: unknown;
            }[];
            /** @description Events, groups or cohorts. */
            total: number;
            columns: components["schemas"]["Column"][];
        };
        TableConfig: {
            eventName: string;
            filters?: components["schemas"]["EventFilter"][];
            /** @description Name of a saved segment: only its subjects count. */
            segment?: string;
            /** @description Not included, but a day or period is included whole. */
            dateTo?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /** @description Included, as in events/query; default -30d. */
            dateFrom?: string;
            /** @enum {string} */
            mode: "raw" | "aggregate" | "retention";
            /** @description raw: keys to show; omitted means all. */
            columns?: string[];
            /** @description aggregate: up to 3 keys. */
            groupBy?: string | string[];
            /** @description aggregate: one column each; default one count. */
            metrics?: components["schemas"]["EventMetric"][];
            /** @description A field, key, group key or alias. */
            sortBy?: string;
            /**
             * @description Default desc.
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /** @description retention: filters of the first event alone. */
            start?: {
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description retention: the later event, by default eventName again; "*": any. */
            returned?: {
                eventName?: string;
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description retention: who returns; default threadId. */
            by?: string;
            /**
             * @description retention: default week.
             * @enum {string}
             */
            dateGrouping?: "day" | "week" | "month" | "quarter" | "year";
            /** @description retention: the last period; default 8. */
            periods?: number;
            limit?: number;
            offset?: number;
        };
        TenantData: {
            /** @description The tenant's events, as its quota counts them: most of the runtime's own are left out. */
            events: number;
            /** @description The size of its documents in vector stores, also of those being ingested. */
            documentBytes: number;
            /** @description The size of messages of alerts and digests that are kept. */
            deliveryBytes: number;
        };
        TenantQuotas: {
            /** @description Id of the tenant. */
            id: string;
            /** @description IANA name of the time zone in which its days and months begin. */
            timezone: string;
            /** @description The limits by the name of their quota; without a member, there is no limit or the default. */
            limits: {
                [key: string]: number;
            };
            /** @description How much of each limit is used. */
            quotas: components["schemas"]["QuotaUsage"][];
        };
        Term: {
            /** @description Such as churn. */
            term: string;
            definition: string;
            /** @description Other names that people use for it. */
            synonyms?: string[];
            /** @description The metric that it means. */
            metric?: string;
            createdAt: string;
            updatedAt: string;
        };
        TestProvider: {
            /** @description The model to ask; by default the cheap `testModel`. */
            model?: string;
        };
        Thread: {
            /** @description The conversation. */
            threadId: string;
            /** @description One page, the oldest first. */
            items: components["schemas"]["ThreadItem"][];
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description How many match, 10,000 at most: so many means that or more. null when counting takes longer than the page; a narrower filter is counted. */
            total: number | null;
        };
        ThreadItem: {
            /**
             * @description An execution.
             * @constant
             */
            type: "execution";
            /** @description When it started; without a start: when it was recorded. */
            at: string;
            execution: components["schemas"]["ExecutionRow"];
        } | {
            /**
             * @description An event.
             * @constant
             */
            type: "event";
            /** @description Its timestamp. */
            at: string;
            event: components["schemas"]["Event"];
        } | {
            /**
             * @description The review of one of the executions.
             * @constant
             */
            type: "review";
            /** @description When it was created. */
            at: string;
            review: components["schemas"]["Review"];
        };
        ThreadList: {
            /** @description One page, by the newest execution of each. */
            threads: components["schemas"]["ThreadRow"][];
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description How many match, 10,000 at most: so many means that or more. null when counting takes longer than the page; a narrower filter is counted. */
            total: number | null;
        };
        ThreadRow: {
            /** @description The conversation. */
            threadId: string;
            /** @description The end user of its newest execution that names one. */
            userId: string | null;
            /** @description The number of its executions. */
            executions: number;
            /** @description The number of its events, without the runtime's own; null without the scope `events:read`. */
            events: number | null;
            /** @description US dollars of its executions; null when no cost is known. */
            cost: number | null;
            /** @description When its first execution started. */
            firstAt: string;
            /** @description When its newest execution started. */
            lastAt: string;
        };
        TrainingCounts: {
            /** @description The matching reviews. */
            reviews: number;
            /** @description Each format of the export. */
            formats: {
                /**
                 * @description As in the export.
                 * @enum {string}
                 */
                format: "openai-conversational" | "openai-jsonl" | "dpo-jsonl" | "kto-jsonl";
                /** @description How many lines or examples the export has. */
                lines: number;
                /** @description How many reviews it leaves out: x-skipped of the export. */
                skipped: number;
                /** @description Why, the commonest first. */
                reasons: {
                    /**
                     * @description A word for programs.
                     * @enum {string}
                     */
                    reason: "not_recorded" | "no_question" | "content" | "tool_calls" | "images" | "arguments" | "no_answer" | "not_good" | "not_corrected" | "undecided";
                    /** @description The reason as a sentence. */
                    words: string;
                    /** @description How many reviews are left out for it; one with several reasons counts once. */
                    reviews: number;
                }[];
            }[];
        };
        TriedCall: {
            /** @description The request; of a mock the one that was not sent. Null for invalid input. */
            sent: components["schemas"]["TriedRequest"] | null;
            /** @description The headers of the last answer, without cookies; null when the API did not answer. */
            headers: {
                [key: string]: string;
            } | null;
            /** @description The answer of the same call. */
            call: components["schemas"]["ExecutedCall"] | components["schemas"]["FailedCall"];
        };
        TriedRequest: {
            /** @description The HTTP method. */
            method: string;
            /** @description The address with its query; a secret in it is `[secret]`. */
            url: string;
            /** @description The headers but for those of the connection; secrets are `[secret]`. */
            headers: {
                /** @description The name. */
                name: string;
                /** @description The value. */
                value: string;
            }[];
            /** @description The body as it is sent; null without one. */
            body: string | null;
        };
        TryConnector: {
            /** @description The resource's slug. */
            resource: string;
            /** @description Parameters by name, each put where the resource has it; or, where all members are among them, path, query, body and headers. */
            data?: unknown;
            /** @description How it is executed. */
            options?: {
                /** @description Whether the mock of the resource answers, and the API is not asked. */
                useMock?: boolean;
                /** @description Milliseconds that the call may take, all its attempts together. */
                timeout?: number;
                /** @description The name of a stored credential, of those that the connector allows. */
                credentials?: string;
                /** @description Headers to send. None of the connection, the authentication or the connector itself. */
                headers?: {
                    [key: string]: string;
                };
            };
            /**
             * @description As of a call: the defaults apply without one.
             * @enum {string}
             */
            environment?: "staging" | "production";
        };
        UpdateAlert: {
            title?: string;
            /** @description A metric, by days. For other buckets: question. */
            metric?: string;
            question?: components["schemas"]["AlertQuestion"];
            /** @description A dashboard card with one number or one line. */
            cardId?: string;
            condition?: {
                /**
                 * @description The value is beyond a limit.
                 * @constant
                 */
                type: "threshold";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte";
                /** @description The limit. */
                value: number;
                /** @description The value at which the alert ends; default the limit. */
                clear?: number;
            } | {
                /**
                 * @description The value changed against the bucket before.
                 * @constant
                 */
                type: "change";
                /** @enum {string} */
                operator: "gt" | "gte" | "lt" | "lte";
                /** @description The change divided by the value before: -0.2 is a fall by a fifth. */
                ratio: number;
                /**
                 * @default previous_period
                 * @constant
                 */
                compareTo?: "previous_period";
            } | {
                /**
                 * @description The value is unlike the median of the same times in earlier weeks.
                 * @constant
                 */
                type: "anomaly";
            } | {
                /**
                 * @description No event was counted.
                 * @constant
                 */
                type: "no_data";
            };
            /** @description When to check; a cron expression of 5 fields; default "5,20,35,50 * * * *". */
            every?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /**
             * @description Language of messages; default en.
             * @enum {string}
             */
            language?: "en" | "pt";
            /** @description Seconds after a message about a problem in which only its end is sent; default 3600. */
            cooldown?: number;
            /** @description Where messages are sent: webhooks, Slack-compatible URLs and e-mail addresses. */
            targets?: ({
                /**
                 * @description A signed POST request, by the Standard Webhooks specification.
                 * @constant
                 */
                type: "webhook";
                /** @description Where requests are sent; http or https. */
                url: string;
                /** @description `whsec_` and base64: signs the requests. Without one, one is made, and shown once. */
                secret?: string;
            } | {
                /**
                 * @description An e-mail.
                 * @constant
                 */
                type: "email";
                /** @description 1 to 20 e-mail addresses. */
                to: string[];
            } | {
                /**
                 * @description An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.
                 * @constant
                 */
                type: "slack";
                /** @description The URL of the incoming webhook; it is a secret. */
                url: string;
            })[];
            /** @description Default true. */
            enabled?: boolean;
        };
        UpdateAnnotation: {
            /** @description Such as "Release 2.3". */
            text?: string;
            /** Format: date-time */
            at?: string;
        };
        UpdateCard: {
            title?: string;
            /** @enum {string} */
            cardType?: "number" | "rate" | "line" | "bar" | "pie" | "table" | "funnel" | "gauge";
            /** @description Replaces the whole config. */
            config?: {
                [key: string]: unknown;
            };
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null removes it. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
        };
        UpdateDigest: {
            title?: string;
            /** @description A dashboard: its first 20 cards. */
            tabId?: string;
            /** @description Cards in this order. */
            cardIds?: string[];
            /** @description When to send; default "0 8 * * 1". A cron expression of 5 fields. */
            every?: string;
            /** @description IANA name; default the tenant's. */
            timezone?: string;
            /**
             * @description Language of messages; default en.
             * @enum {string}
             */
            language?: "en" | "pt";
            /** @description Where messages are sent: webhooks, Slack-compatible URLs and e-mail addresses. */
            targets?: ({
                /**
                 * @description A signed POST request, by the Standard Webhooks specification.
                 * @constant
                 */
                type: "webhook";
                /** @description Where requests are sent; http or https. */
                url: string;
                /** @description `whsec_` and base64: signs the requests. Without one, one is made, and shown once. */
                secret?: string;
            } | {
                /**
                 * @description An e-mail.
                 * @constant
                 */
                type: "email";
                /** @description 1 to 20 e-mail addresses. */
                to: string[];
            } | {
                /**
                 * @description An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.
                 * @constant
                 */
                type: "slack";
                /** @description The URL of the incoming webhook; it is a secret. */
                url: string;
            })[];
            /** @description Default true. */
            enabled?: boolean;
        };
        UpdateMetric: {
            /** @description Such as Resolution rate. */
            title?: string;
            /** @description Null removes it. */
            description?: string | null;
            /** @description Replaces all; [] or null removes them. */
            synonyms?: string[] | null;
            /** @description Null removes it. */
            unit?: string | null;
            /** @description Null removes it. */
            format?: {
                prefix?: string;
                suffix?: string;
                decimals?: number;
                /** @description Writes 0.25 as 25%, as a rate is by default. */
                percent?: boolean;
            } | null;
            /** @enum {string} */
            goodDirection?: "up" | "down" | "none";
            formula?: {
                /** @description + - * /, parentheses, numbers and names of parts, such as "resolved / started". */
                expression: string;
                parts: {
                    [key: string]: {
                        eventName: string;
                        /** @enum {string} */
                        aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
                        /** @description Needed by all but count. */
                        propertyKey?: string;
                        filters?: components["schemas"]["EventFilter"][];
                    };
                };
            } | {
                eventName: string;
                /** @enum {string} */
                aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
                /** @description Needed by all but count and rate. */
                propertyKey?: string;
                /** @description rate: the part counted against all events of eventName. */
                numerator?: {
                    eventName?: string;
                    filters?: components["schemas"]["EventFilter"][];
                };
                filters?: components["schemas"]["EventFilter"][];
            };
            /** @description Null removes it. */
            owner?: string | null;
        };
        UpdateQueue: {
            /** @description Null removes it. */
            title?: string | null;
            /** @description Replaces all of them; {}: every execution. */
            filters?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this conversation. */
                threadId?: string;
                /** @description Only of this end user. */
                userId?: string;
                /** @description Only with this name. */
                name?: string;
                /** @description Only of this provider. */
                provider?: string;
                /** @description Only of this model. */
                model?: string;
                /**
                 * @description Only with this status.
                 * @enum {string}
                 */
                status?: "running" | "completed" | "failed" | "cancelled";
                /** @description Only with this tag. */
                tag?: string;
                /**
                 * @description Only with a step of this kind.
                 * @enum {string}
                 */
                kind?: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description Only with a review, or only without one. */
                hasReview?: boolean;
                /** @description The same as hasReview. */
                reviewed?: boolean;
                /**
                 * @description Only with a review of this rating.
                 * @enum {string}
                 */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only with an assessment, or only without one. */
                hasAssessment?: boolean;
                /** @description Only of at least so many US dollars. */
                minCost?: number;
                /** @description Only of at most so many US dollars. */
                maxCost?: number;
                /** @description Only of at least so many milliseconds. */
                minLatencyMs?: number;
                /** @description Only of at most so many milliseconds. */
                maxLatencyMs?: number;
                /** @description Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded. */
                dateFrom?: string;
                /** @description Started before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Words of messages and output, all of them, by their stems as in reviews. Words of the last second may be missing, and those beyond the first 200,000 characters of an execution. */
                search?: string;
            };
            /** @description Null removes it. */
            share?: number | null;
            /** @description Null removes it. */
            outcome?: {
                eventName: string;
                /** @description As in queries of events. */
                filters?: components["schemas"]["EventFilter"][];
            } | null;
            /** @description Null removes it. */
            rubric?: string | null;
            assessors?: number;
            /** @description Null or []: everybody with the scope. */
            userIds?: string[] | null;
        };
        UpdateReview: {
            /**
             * @description Any may follow any other.
             * @enum {string}
             */
            status?: "pending_review" | "in_progress" | "resolved" | "wont_fix";
            /** @description What was done about it; null clears it. */
            actionTaken?: string | null;
            /** @description null clears it. */
            resolutionNotes?: string | null;
            /** @description What the agent should have answered; replaces its answer in the training export. null clears it. */
            correctedOutput?: string | null;
            /** @description At least 10 characters. */
            comment?: string;
            /**
             * @description How soon it matters.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /** @description Replaces all tags; [] removes them. */
            tags?: string[];
        };
        UpdateRubric: {
            /** @description Such as Quality of answers. */
            title?: string;
            /** @description Replaces all questions. */
            questions?: {
                /** @description Names the question in answers. */
                id: string;
                /** @description The question as people read it. */
                text: string;
                /**
                 * @description boolean: yes or no. choice: one of `choices`. scale: 1 to 5. text: free text.
                 * @enum {string}
                 */
                type: "boolean" | "choice" | "scale" | "text";
                /** @description Only of a choice, which needs them. */
                choices?: string[];
                /** @description How to answer it. */
                guidance?: string;
            }[];
        };
        UpdateSegment: {
            /** @description Null removes it. */
            title?: string | null;
            /** @description Null removes it. */
            description?: string | null;
            /** @description Whose events are counted: threadId, or a property key such as customer. */
            by?: string;
            /** @description All must hold. */
            conditions?: {
                eventName: string;
                filters?: components["schemas"]["EventFilter"][];
                /** @description Events that match; default 1. */
                atLeast?: number;
                /** @description Included, as in events/query, in the time zone and at the time of the question. */
                dateFrom?: string;
                /** @description Not included, but a day or period is included whole. */
                dateTo?: string;
            }[];
        };
        UpdateTab: {
            name?: string;
            sortOrder?: number;
        };
        UpdateTerm: {
            definition?: string;
            /** @description Replaces all; [] or null removes them. */
            synonyms?: string[] | null;
            /** @description Null removes it. */
            metric?: string | null;
        };
        UpdateUser: {
            /**
             * Format: email
             * @description Unique within the tenant, in whatever case.
             */
            email?: string;
            /** @description null: none. */
            phone?: string | null;
            /** @description 2 to 100 characters. */
            name?: string;
            /** @description null: none. */
            avatarUrl?: string | null;
            /** @description Whether the user may log in. */
            isActive?: boolean;
            /**
             * @description What the user may do within the tenant: docs/users.md.
             * @enum {string}
             */
            role?: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
        };
        UploadLimits: {
            /** @description Of files that can be read, without a dot. */
            extensions: string[];
            /** @description The most that one file may have. */
            fileBytes: number;
            /** @description The tenant's quota of documents; null: there is none. */
            documentBytes: number | null;
            /** @description How much of the quota is used; null without one. */
            storedBytes: number | null;
            /** @description The embedder of new stores; `none`: they are searched by words alone. */
            embedder: string;
        };
        UpsertCard: {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "number";
            config: components["schemas"]["NumberConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "rate";
            config: components["schemas"]["RateConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "line";
            config: components["schemas"]["ChartConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "bar";
            config: components["schemas"]["ChartConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "pie";
            config: components["schemas"]["PieConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "table";
            config: components["schemas"]["TableConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "funnel";
            config: components["schemas"]["FunnelConfig"];
        } | {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            title: string;
            /** @description A tab of the same agent; null: in none. */
            tabId?: string | null;
            /** @description Ascending; a new card comes last. */
            sortOrder?: number;
            /** @description Null counts as left out. */
            gridLayout?: {
                x: number;
                y: number;
                w: number;
                h: number;
            } | null;
            /** @description The card's identity, in place of what it asks. */
            idempotencyKey?: string;
            /** @constant */
            cardType: "gauge";
            config: components["schemas"]["GaugeConfig"];
        };
        UpsertTab: {
            /** @description Default: the key's agent, else `default`. */
            agentId?: string;
            name: string;
            /** @description Ascending; a new tab comes last. */
            sortOrder?: number;
        };
        Usage: {
            /** @description What all keys and users of the tenant use together. */
            tenant: {
                /** @description Id of the tenant. */
                id: string;
                /** @description IANA name of the time zone in which its days and months begin. */
                timezone: string;
                /** @description The quotas that the tenant has. */
                quotas: components["schemas"]["QuotaUsage"][];
            };
            /** @description The key that asks; null for a portal user. */
            key: {
                /** @description Id of the key. */
                id: string;
                /** @description The quotas that the key has. */
                quotas: components["schemas"]["QuotaUsage"][];
            } | null;
        };
        UsageHistory: {
            /**
             * @description The unit of the amounts.
             * @enum {string}
             */
            unit: "tokens" | "USD";
            /** @description IANA name of the time zone in which the days begin. */
            timezone: string;
            /** @description Each day, oldest first. Usage is counted from when the tenant or the key first has a budget. */
            days: {
                /**
                 * Format: date
                 * @description The day, in that time zone.
                 */
                date: string;
                /** @description What chats that began in it used. */
                amount: number;
            }[];
            /** @description The sum of the amounts. */
            total: number;
        };
        User: {
            /** @description A UUID, made by the server. */
            id: string;
            /** @description Unique within the tenant, in whatever case. */
            email: string;
            /** @description The name of the person. */
            name: string;
            /** @description null: none. */
            phone: string | null;
            /** @description The address of a picture; null: none. */
            avatarUrl: string | null;
            /**
             * @description What the user may do within the tenant: docs/users.md.
             * @enum {string}
             */
            role: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
            /** @description Whether the user may log in. */
            isActive: boolean;
            /** @description When the user last logged in to the portal; null: never. */
            lastLoginAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601; of the creation or the last change.
             */
            updatedAt: string;
            /** @description The tenant that the user belongs to. */
            tenantId: string;
            /** @description What an identity provider left here. */
            metadata: {
                /** @description The id of the user at the identity provider. */
                idp_user_id?: string;
                /** @description Whether the identity provider created the user. */
                idp_created?: boolean;
                /** @description Whether the user was invited. */
                invite_sent?: boolean;
            };
            /** @description What the user made, and the keys that the user made. */
            _count: {
                /** @description Agents that came with their first use. */
                agents: number;
                /** @description API keys, revoked ones too. */
                credentials: number;
                /** @description Executions that were recorded. */
                executions: number;
            };
        };
        UserSession: {
            /** @description Id of the session. */
            id: string;
            /** @description Whether it is the session of the token that asks. */
            current: boolean;
            /**
             * Format: date-time
             * @description When the user logged in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its token was last used, to five minutes.
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            expiresAt: string;
            /** @description Where the login came from; of IPv6 the network. */
            address: string;
            /** @description How the client named itself, at most 200 characters; null: it did not. */
            userAgent: string | null;
        };
        VectorStore: {
            /** @description Its name. */
            name: string;
            /** @description The embedder of its vectors; `none`: it is searched by words alone. */
            embedder: string;
            /** @description The dimensions of its vectors; null: there are none. */
            dimensions: number | null;
            /** @description That can be found. */
            documents: number;
            /** @description The number of chunks in these documents. */
            chunks: number;
            /** @description Bytes of the files of these documents. */
            size: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
        };
    };
    responses: {
        /** @description Invalid input; `message` names each field. */
        InvalidInput: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Missing or invalid credential. */
        Unauthenticated: {
            headers: {
                /** @description Bearer; with the scope that is missing. */
                "www-authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key or the role lacks the right, or the resource is not its tenant's. */
        Forbidden: {
            headers: {
                /** @description Bearer; with the scope that is missing. */
                "www-authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Host` of the request is none of the server (`AGENT_RUNTIME_ALLOWED_HOSTS`). */
        UnknownHost: {
            headers: {
                /** @description Bearer; with the scope that is missing. */
                "www-authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing more of the body came for a while. */
        Stalled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The content type is not supported. */
        UnsupportedType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests with this credential; see Retry-After. */
        RateLimited: {
            headers: {
                /** @description Seconds after which a retry makes sense. */
                "retry-after"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Server error; safe to retry with backoff. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not now; see Retry-After. */
        Unavailable: {
            headers: {
                /** @description Seconds after which a retry makes sense. */
                "retry-after"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It took longer than it may; the message says how to ask for less. */
        TimedOut: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postObservabilityEvents: {
        parameters: {
            query?: {
                /** @description true stores the good events of a batch and lists the bad ones. */
                partial?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    events: components["schemas"]["IngestEvent"][];
                };
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Stored durably. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestResult"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityEventsFeed: {
        parameters: {
            query?: {
                /** @description Default: the key's agent; "*": all. */
                agentId?: string;
                eventName?: string;
                /** @description Only of this conversation. */
                threadId?: string;
                /** @description Only of this execution. */
                executionId?: string;
                /** @description Name of a saved segment: only its subjects count. */
                segment?: string;
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description Receipt of an ingest: waits up to 5 s until its events are visible. */
                "x-wait-for"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["Event"][];
                        total: number;
                        /** @description Unknown names, wrong types, why nothing matched, what was left out. */
                        notes?: string[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityEventsQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Receipt of an ingest: waits up to 5 s until its events are visible. */
                "x-wait-for"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsQuery"];
            };
        };
        responses: {
            /** @description Rows and their columns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueriedTable"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postChatStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description `text/plain` (default) or `text/event-stream`. */
                accept?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description The answer, as it comes. */
            200: {
                headers: {
                    /** @description The execution that records the chat. */
                    "x-execution-id"?: string;
                    /** @description Who answers: another than the one asked for after a fallback. */
                    "x-provider"?: string;
                    /** @description Who that is among the configured ones. */
                    "x-provider-name"?: string;
                    /** @description With which model. */
                    "x-model"?: string;
                    /** @description Members of the request that the model does not take, comma-separated; a lowered one with both values: `temperature: 2 -> 1`. */
                    "x-dropped-params"?: string;
                    /** @description On an answer without any text: `tool_calls` for example. */
                    "x-finish-reason"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "text/event-stream": string;
                };
            };
            /** @description Invalid input, each message naming its field; or what the provider says of a request that it refuses. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The vendor has no key here; the message names what to set. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or chats at once; a quota or budget has no room; or the provider takes no more for now. See Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            /** @description The provider failed, or does not accept the key that is configured for it. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
            /** @description The provider did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getObservabilityExecutions: {
        parameters: {
            query?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this conversation. */
                threadId?: string;
                /** @description Only of this end user. */
                userId?: string;
                /** @description Only with this name. */
                name?: string;
                /** @description Only of this provider. */
                provider?: string;
                /** @description Only of this model. */
                model?: string;
                /** @description Only with this status. */
                status?: "running" | "completed" | "failed" | "cancelled";
                /** @description Only with this tag. */
                tag?: string;
                /** @description Only with a step of this kind. */
                kind?: "agent" | "model" | "tool" | "retrieval" | "other";
                /** @description Only with a review, or only without one. */
                hasReview?: boolean;
                /** @description The same as hasReview. */
                reviewed?: boolean;
                /** @description Only with a review of this rating. */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only with an assessment, or only without one. */
                hasAssessment?: boolean;
                /** @description Only of at least so many US dollars. */
                minCost?: number;
                /** @description Only of at most so many US dollars. */
                maxCost?: number;
                /** @description Only of at least so many milliseconds. */
                minLatencyMs?: number;
                /** @description Only of at most so many milliseconds. */
                maxLatencyMs?: number;
                /** @description Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded. */
                dateFrom?: string;
                /** @description Started before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Words of messages and output, all of them, by their stems as in reviews. Words of the last second may be missing, and those beyond the first 200,000 characters of an execution. */
                search?: string;
                /** @description Default startedAt. Executions without the value that is sorted by are left out. */
                sortBy?: "startedAt" | "cost" | "latencyMs" | "totalTokens";
                /** @description Default desc: the newest or largest first. */
                sortOrder?: "asc" | "desc";
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The nextCursor of an answer: what follows it. Take it back with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of executions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityExecutions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordExecution"];
            };
        };
        responses: {
            /** @description The execution was known and is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description The execution is new. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The execution belongs to another agent. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description It, or a step, would end before it starts, be its own ancestor, or be too large. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityExecutionsExecutionIdSteps: {
        parameters: {
            query?: {
                /** @description Default 100; more than 1000 is capped to 1000. */
                limit?: number;
                /** @description The nextCursor of an answer: what follows it. Take it back with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id under which the execution was recorded. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of steps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such execution. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityExecutionsExecutionIdSteps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id under which the execution was recorded. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordSteps"];
            };
        };
        responses: {
            /** @description The execution with its first 1,000 steps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such execution. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description It, or a step, would end before it starts, be its own ancestor, or be too large. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityExecutionsExecutionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id under which the execution was recorded. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such execution. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getObservabilityThreads: {
        parameters: {
            query?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this end user. */
                userId?: string;
                /** @description Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded. */
                dateFrom?: string;
                /** @description Started before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The nextCursor of an answer: what follows it. Take it back with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of threads. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityThreadsThreadId: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The nextCursor of an answer: what follows it. Take it back with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The conversation. */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the thread. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Nothing that the caller may see belongs to such a thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postVectorsFilesIngest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description PDF, DOCX, TXT, MD, JSON (a list, one object, or NDJSON) or CSV.
                     */
                    file: Blob;
                    /** @description The vector store; made with its first file. 1-100 letters, digits, `-`, `_`, `.`. */
                    vectorStore: string;
                    /** @description A JSON object, merged into every document's metadata. With `sourceId` in it the file replaces the document of the same sourceId, once it is ingested. */
                    metadata?: string;
                    /** @description The id of a document of the store that the file replaces, once it is ingested. */
                    replaces?: string;
                    /** @description One character, or `tab`. Left out: found in the file. */
                    csvDelimiter?: string;
                    /** @description Comma-separated columns that become text; default all. */
                    csvContentColumns?: string;
                    /** @description Comma-separated columns that are copied to the metadata. */
                    csvMetadataColumns?: string;
                    /** @description `true` strips HTML tags and decodes entities. */
                    hygieneStripHtml?: string;
                    /** @description `true` removes URLs. */
                    hygieneRemoveUrls?: string;
                    /** @description `true` drops empty and placeholder values such as N/A. */
                    hygieneDropEmptyValues?: string;
                    /** @description `true` collapses repeated whitespace. */
                    hygieneNormalizeWhitespace?: string;
                    /** @description `true` drops rows or chunks that were there before in the file. */
                    hygieneDedupeUnits?: string;
                };
            };
        };
        responses: {
            /** @description The file is stored and its job waits. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description The id for asking how the job goes. */
                        jobId: string;
                        /**
                         * @description queued, or the status of the running job for the same file and options.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "failed";
                        /** @description The path of the job: /runtime/v1/vectors/ingestion-jobs/<job_id>. */
                        statusUrl: string;
                        /** @description The vector store. */
                        vectorStore: string;
                        /** @description What happens next, for people. */
                        message: string;
                        /** @description Fields that were ignored, each with the reason, and the document that has the same content. */
                        notes?: string[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["Stalled"];
            /** @description The store was made with another embedder. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            /** @description The content type is not supported, or the file is none of pdf, docx, txt, md, json, csv. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description Too many files wait; `Retry-After` says when to send it again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getVectorsFilesLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadLimits"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVectorsIngestionJobsJobId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the server made. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionJob"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRuntimeV1VectorsIngestionJobsJobId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the server made. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionJob"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postVectorsIngestionJobsJobIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the server made. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionJob"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The job has ended already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getVectorsStores: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The number to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of vector stores. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The stores, by name. */
                        stores: components["schemas"]["VectorStore"][];
                        /** @description The total number. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postVectorsStores: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The store. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorStore"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is a store of this name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The embedder has no key, or the tenant has 1,000 stores. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getVectorsStoresName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorStore"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteVectorsStoresName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchVectorsStoresName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The store. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorStore"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is a store of the new name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getVectorsStoresNameIngestionJobs: {
        parameters: {
            query?: {
                /** @description Only jobs with this status. */
                status?: "queued" | "processing" | "completed" | "failed";
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The number to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description The vector store. */
                        vectorStore: string;
                        /** @description Newest first. */
                        jobs: components["schemas"]["IngestionJob"][];
                        /** @description The total number. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getVectorsStoresNameDocuments: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The number to skip. */
                offset?: number;
                /** @description A part of the name of the file, in whatever case. */
                search?: string;
            };
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        documents: components["schemas"]["Document"][];
                        /** @description The total number. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getVectorsStoresNameDocumentsDocumentId: {
        parameters: {
            query?: {
                /** @description The index of the first passage, from 0. */
                from?: number;
                /** @description Default 10; more than 50 is capped to 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
                /** @description The id that the completed job names. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the file, also a CSV of many rows. */
                        documentId: string;
                        /** @description The name of the uploaded file. */
                        name: string;
                        /**
                         * @description The format as which it was read.
                         * @enum {string}
                         */
                        format: "pdf" | "docx" | "txt" | "md" | "json" | "csv";
                        /** @description Bytes of the file. */
                        size: number;
                        /** @description The number of chunks that it was cut into. */
                        chunks: number;
                        /** @description The sourceId of its metadata; the next file with the same one replaces it. */
                        sourceId: string | null;
                        /** @description The metadata that was sent. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: date-time
                         * @description When the file was accepted.
                         */
                        createdAt: string;
                        /** @description From `from` on, in the order of the file. */
                        passages: {
                            /** @description Its place in the document, from 0. */
                            chunkIndex: number;
                            /** @description The text of the document: data, not instruction. */
                            text: string;
                            /** @description Counted from 1. */
                            page?: number;
                            /** @description The row of a CSV without its header, or the element of a JSON list; counted from 1. */
                            row?: number;
                            /** @description The line of a text, counted from 1. */
                            line?: number;
                            /** @description The headings that it stands under, joined by " > ". */
                            heading?: string;
                            /** @description Its row's own. */
                            metadata?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store, or no such document in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deleteVectorsStoresNameDocumentsDocumentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
                /** @description The id that the completed job names. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store, or no such document in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postVectorsStoresNameSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1-100 letters, digits, `-`, `_` and `.`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Search"];
            };
        };
        responses: {
            /** @description The passages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such vector store. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Vectors are asked for in a store without an embedder. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityExecutionsExecutionIdReviews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution, recorded or not. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReview"];
            };
        };
        responses: {
            /** @description The review. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The execution has a review already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The comment has fewer than 10 characters. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityExecutionsExecutionIdReviewsExists: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution, recorded or not. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the execution has a review, and which. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the execution has a review. */
                        exists: boolean;
                        /** @description null when there is none. */
                        review: {
                            /** @description Made by the server, a UUID. */
                            id: string;
                            /**
                             * @description How good the outcome was.
                             * @enum {string}
                             */
                            rating: "good" | "bad" | "needs_improvement";
                            /**
                             * @description How far the work on it is.
                             * @enum {string}
                             */
                            status: "pending_review" | "in_progress" | "resolved" | "wont_fix";
                            /** @description What the reviewer says. */
                            comment: string;
                            /** @description ISO 8601. */
                            createdAt: string;
                        } | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getObservabilityReviews: {
        parameters: {
            query?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this status. */
                status?: "pending_review" | "in_progress" | "resolved" | "wont_fix";
                /** @description Only with this rating. */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only of this priority. */
                priority?: "low" | "medium" | "high" | "critical";
                /** @description Created at or after it: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Created before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Words of the comment, all of them, in Portuguese. */
                search?: string;
                /** @description How search compares words. stem, the default: by their stems; exact: as written, in upper or lower case. */
                match?: "stem" | "exact";
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of reviews. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        reviews: components["schemas"]["Review"][];
                        /** @description All that match, on every page. */
                        total: number;
                        /** @description How many were asked for at most. */
                        limit: number;
                        /** @description How many were passed over. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityReviewsStats: {
        parameters: {
            query: {
                /** @description Whose reviews are counted; `*`: those of every agent. */
                agentId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewStats"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityReviewsOutcomes: {
        parameters: {
            query: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Created at or after it: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Created before it; a date without time means through that day. */
                dateTo?: string;
                /** @description The event that means success, of any agent. */
                eventName: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts, by rating. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewOutcomes"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityReviewsExportTrainingData: {
        parameters: {
            query?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this status. */
                status?: "pending_review" | "in_progress" | "resolved" | "wont_fix";
                /** @description Only with this rating. */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only of this priority. */
                priority?: "low" | "medium" | "high" | "critical";
                /** @description Created at or after it: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Created before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Only with this tag. */
                tag?: string;
                /** @description openai-conversational: one JSON document, an example for every review. The others are JSON Lines and leave out what they cannot express: openai-jsonl for OpenAI's supervised fine-tuning, answers rated good and corrected ones; dpo-jsonl for its preference fine-tuning, the correction against the original; kto-jsonl for TRL's unpaired preference. */
                format?: "openai-conversational" | "openai-jsonl" | "dpo-jsonl" | "kto-jsonl";
                /** @description True adds `metadata.assessments` to each example of openai-conversational; the others have no metadata. */
                assessments?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The examples: one JSON document in the format openai-conversational, JSON Lines in the others. */
            200: {
                headers: {
                    /** @description How many matching reviews the format cannot express; these are left out. */
                    "x-skipped"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each matching review. */
                        training_examples: {
                            /** @description The turns of the recorded execution, correctedOutput in place of its answer when there is one. Of an execution that was not recorded: the corrected turn alone, or none. */
                            messages: {
                                /**
                                 * @description Who speaks.
                                 * @enum {string}
                                 */
                                role: "system" | "user" | "assistant" | "tool";
                                /** @description Text, or parts; absent only beside tool_calls. */
                                content?: string | components["schemas"]["ContentPart"][];
                                /** @description The calls of an assistant turn, as recorded. */
                                tool_calls?: {
                                    [key: string]: unknown;
                                }[];
                                /** @description The call that a tool turn answers. */
                                tool_call_id?: string;
                                /** @description The name of the tool in a tool turn. */
                                name?: string;
                            }[];
                            /** @description Where the example comes from. */
                            metadata: {
                                /** @description The review that gives this example. */
                                review_id: string;
                                /** @description The execution that was reviewed. */
                                execution_id: string;
                                /**
                                 * @description The reviewer's rating of the original answer.
                                 * @enum {string}
                                 */
                                rating: "good" | "bad" | "needs_improvement";
                                /** @description Whether the last turn is the correction. */
                                was_corrected: boolean;
                                /** @description What people and programs answered about the execution, oldest first; only where asked for. */
                                assessments?: {
                                    /** @description The name of the rubric. */
                                    rubric: string;
                                    /** @description The version of the rubric that was answered. */
                                    version: number;
                                    /** @description Who answered; it may change and delete the assessment. */
                                    assessor: {
                                        /**
                                         * @description A person, an API key, or a program that judges.
                                         * @enum {string}
                                         */
                                        type: "user" | "key" | "judge";
                                        /** @description Of the user, the key or the judge. */
                                        id: string;
                                        /** @description E-mail of the user, label of the key or name of the judge, as it was then. */
                                        label: string;
                                    };
                                    /** @description By the id of the question; those that were left out are absent. */
                                    answers: {
                                        [key: string]: boolean | number | string;
                                    };
                                    /** @description Absent when there is none. */
                                    comment?: string;
                                }[];
                            };
                        }[];
                        /** @description How many examples there are. */
                        total: number;
                        /**
                         * @description The format of the examples.
                         * @constant
                         */
                        format: "openai-conversational";
                        /**
                         * Format: date-time
                         * @description When the export began, ISO 8601.
                         */
                        generated_at: string;
                    };
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description Too many exports are under way, or lists and exports asked for; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityReviewsExportTrainingDataCounts: {
        parameters: {
            query?: {
                /** @description Default: every agent, as `*`. */
                agentId?: string;
                /** @description Only of this status. */
                status?: "pending_review" | "in_progress" | "resolved" | "wont_fix";
                /** @description Only with this rating. */
                rating?: "good" | "bad" | "needs_improvement";
                /** @description Only of this priority. */
                priority?: "low" | "medium" | "high" | "critical";
                /** @description Created at or after it: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Created before it; a date without time means through that day. */
                dateTo?: string;
                /** @description Only with this tag. */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts, by format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingCounts"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityReviewsReviewId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the server made. */
                reviewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The review. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such review, or it is one of another tenant. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityReviewsReviewId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the server made. */
                reviewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such review, or it is one of another tenant. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityReviewsReviewId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the server made. */
                reviewId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateReview"];
            };
        };
        responses: {
            /** @description The changed review. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such review, or it is one of another tenant. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The comment has fewer than 10 characters. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityRubrics: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of rubrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The newest version of each, by name. */
                        rubrics: components["schemas"]["Rubric"][];
                        /** @description For the next page; null: this is the last one. */
                        nextCursor: string | null;
                        /** @description All rubrics, on every page. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityRubrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRubric"];
            };
        };
        responses: {
            /** @description The rubric. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rubric"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is a rubric of that name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many rubrics, versions, or bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityRubricsName: {
        parameters: {
            query?: {
                /** @description Default: the newest. `name@version` as the name asks for it, too. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Its name, or name@version. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rubric. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rubric"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such rubric or version; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    patchObservabilityRubricsName: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
            };
            path: {
                /** @description The name of the rubric. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRubric"];
            };
        };
        responses: {
            /** @description The newest version. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rubric"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such rubric or version; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another version was made at the same time. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many rubrics, versions, or bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityRubricsNameAgreement: {
        parameters: {
            query?: {
                /** @description Default: the newest that people have answered, else the newest. */
                version?: number;
                /** @description Only assessments made at or after it: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Only assessments made before it; a date without time means through that day. */
                dateTo?: string;
            };
            header?: never;
            path: {
                /** @description The name of the rubric. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agreement on each question. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agreement"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such rubric or version; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 100,000 assessments match; ask for fewer by dates. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description Too many agreements are asked for; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityExecutionsExecutionIdAssessments: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The execution, recorded or not. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of assessments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Oldest first. */
                        assessments: components["schemas"]["Assessment"][];
                        /** @description For the next page; null: this is the last one. */
                        nextCursor: string | null;
                        /** @description All assessments of the execution, on every page. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityExecutionsExecutionIdAssessments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution, recorded or not. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Assess"];
            };
        };
        responses: {
            /** @description The caller's assessment is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assessment"];
                };
            };
            /** @description The assessment is new. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assessment"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description There is no such rubric, a question does not take its answer, or the execution has as many assessments as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deleteObservabilityExecutionsExecutionIdAssessmentsAssessmentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution, recorded or not. */
                executionId: string;
                /** @description The id that the server made. */
                assessmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The assessment is of another assessor, the execution of another tenant, or the scope is missing. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The execution has no such assessment. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getObservabilityQueues: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description The nextCursor of an answer: what follows it. Take it back with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of queues. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateQueue"];
            };
        };
        responses: {
            /** @description The queue. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks `reviews:write`, `executions:read`, or, with an outcome, `events:read`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The queue is there already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The rubric or a user is not there, or the tenant has as many queues as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityQueuesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such queue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityQueuesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such queue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityQueuesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateQueue"];
            };
        };
        responses: {
            /** @description The changed queue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks `reviews:write`, `executions:read`, or, with an outcome, `events:read`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such queue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The rubric or a user is not there. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityQueuesNameNext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What the caller holds by this, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandedItem"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks the scope, or the queue names other people. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such queue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description The queue is still being filled. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityQueuesNameItemsExecutionIdDone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
                /** @description The execution that is the item. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What the caller holds by this, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandedItem"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks the scope, or the queue names other people. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such queue, or the execution is not in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller never had the item, or gave it back. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityQueuesNameItemsExecutionIdSkip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
                /** @description The execution that is the item. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What the caller holds by this, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandedItem"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks the scope, or the queue names other people. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such queue, or the execution is not in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller never had the item, or gave it back. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityQueuesNameItemsExecutionIdRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the queue. */
                name: string;
                /** @description The execution that is the item. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What the caller holds by this, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandedItem"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description The credential lacks the scope, or the queue names other people. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such queue, or the execution is not in it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller never had the item, or gave it back. Or somebody else holds it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityDashboardCardsPreview: {
        parameters: {
            query?: {
                /** @description Only for pictures, in pixels: 320 to 1600. */
                width?: number;
                /** @description Only for pictures, in pixels: 200 to 1200. */
                height?: number;
                /** @description Only for PNG: 1, or 2 to double its pixels in both directions. */
                scale?: number;
                /** @description Colours of a picture. */
                theme?: "light" | "dark";
                /** @description BCP 47 language tag for the numbers and dates in a picture. */
                locale?: string;
            };
            header?: {
                /** @description `application/json` (default), `image/svg+xml` or `image/png`. */
                accept?: string;
                /** @description Receipt of an ingest: waits up to 5 s until its events are visible. */
                "x-wait-for"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewCard"];
            };
        };
        responses: {
            /** @description The card with its data and their basis, or a picture of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedCard"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description `Accept` names none of application/json, image/svg+xml and image/png. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description Too many pictures are being drawn, or the events of the receipt are not visible yet; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The query took longer than it may. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postObservabilityDashboardCardsRender: {
        parameters: {
            query?: never;
            header?: {
                /** @description Receipt of an ingest: waits up to 5 s until its events are visible. */
                "x-wait-for"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenderCards"];
            };
        };
        responses: {
            /** @description Each card with its data or its error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cards: ({
                            card: {
                                id: string;
                                title: string;
                                /** @enum {string} */
                                cardType: "number" | "rate" | "line" | "bar" | "pie" | "table" | "funnel" | "gauge";
                            };
                            data: {
                                value: number | null;
                                numerator?: number;
                                denominator?: number;
                                parts?: {
                                    [key: string]: number | null;
                                };
                                previous?: {
                                    value: number | null;
                                    change: number | null;
                                    changeRatio: number | null;
                                    from: string;
                                    to: string;
                                };
                                formatted: string;
                                /** @description How the value is written. Its members replace those of the metric. */
                                format?: {
                                    prefix?: string;
                                    suffix?: string;
                                    decimals?: number;
                                    /** @description Writes 0.25 as 25%, as a rate is by default. */
                                    percent?: boolean;
                                };
                                /** @description The metric's; `format` has it if it is written. */
                                unit?: string;
                                /**
                                 * @description Whether a rise or a fall is good; left out: neither.
                                 * @enum {string}
                                 */
                                goodDirection?: "up" | "down" | "none";
                                min?: number;
                                max?: number;
                                target?: number;
                                thresholds?: {
                                    value: number;
                                    label?: string;
                                    color?: string;
                                }[];
                            } | {
                                series: {
                                    bucket: string;
                                    /** @description Several keys give an object. null: absent. */
                                    group?: string | number | boolean | Record<string, never> | unknown[] | null;
                                    value: number | null;
                                    numerator?: number;
                                    denominator?: number;
                                }[];
                                annotations?: {
                                    at: string;
                                    text: string;
                                }[];
                                /** @description How the value is written. Its members replace those of the metric. */
                                format?: {
                                    prefix?: string;
                                    suffix?: string;
                                    decimals?: number;
                                    /** @description Writes 0.25 as 25%, as a rate is by default. */
                                    percent?: boolean;
                                };
                                /** @description The metric's; `format` has it if it is written. */
                                unit?: string;
                                /**
                                 * @description Whether a rise or a fall is good; left out: neither.
                                 * @enum {string}
                                 */
                                goodDirection?: "up" | "down" | "none";
                            } | {
                                groups: {
                                    /** @description Several keys give an object. null: absent. */
                                    group: string | number | boolean | Record<string, never> | unknown[] | null;
                                    value: number | null;
                                    numerator?: number;
                                    denominator?: number;
                                    parts?: {
                                        [key: string]: number | null;
                                    };
                                    previous?: {
                                        value: number | null;
                                        change: number | null;
                                        changeRatio: number | null;
                                    };
                                }[];
                                /** @description How the value is written. Its members replace those of the metric. */
                                format?: {
                                    prefix?: string;
                                    suffix?: string;
                                    decimals?: number;
                                    /** @description Writes 0.25 as 25%, as a rate is by default. */
                                    percent?: boolean;
                                };
                                /** @description The metric's; `format` has it if it is written. */
                                unit?: string;
                                /**
                                 * @description Whether a rise or a fall is good; left out: neither.
                                 * @enum {string}
                                 */
                                goodDirection?: "up" | "down" | "none";
                            } | {
                                rows: {
                                    [key: string]: unknown;
                                }[];
                                /** @description Events, groups or cohorts. */
                                total: number;
                                columns: components["schemas"]["Column"][];
                                nextOffset?: number;
                            } | {
                                steps: {
                                    label: string;
                                    eventName: string;
                                    count: number;
                                    conversion: number | null;
                                }[];
                            };
                            basis: components["schemas"]["FunnelBasis"] | components["schemas"]["QueryBasis"];
                            note?: string;
                            /** @description Unknown names, wrong types, why nothing matched, what was left out. */
                            notes?: string[];
                            id: string;
                        } | {
                            id: string;
                            /** @description Has the members of an error body. */
                            error: {
                                statusCode: number;
                                /** @description An array for 400, each item naming its field. */
                                message: string | string[];
                                /** @description The reason phrase of the status. */
                                error: string;
                                /** @description The id under which the log has the error; only with 5xx. */
                                requestId?: string;
                            };
                        })[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDashboardCardsIdRender: {
        parameters: {
            query?: {
                /** @description Only for pictures, in pixels: 320 to 1600. */
                width?: number;
                /** @description Only for pictures, in pixels: 200 to 1200. */
                height?: number;
                /** @description Only for PNG: 1, or 2 to double its pixels in both directions. */
                scale?: number;
                /** @description Colours of a picture. */
                theme?: "light" | "dark";
                /** @description BCP 47 language tag for the numbers and dates in a picture. */
                locale?: string;
                /** @description Replaces the card's range, in the format of a config. The dateGrouping then suits the new range. */
                dateFrom?: string;
                /** @description Replaces the card's dateTo; with dateFrom alone the range ends now. */
                dateTo?: string;
                /** @description Replaces the card's time zone: an IANA name. */
                timezone?: string;
            };
            header?: {
                /** @description `application/json` (default), `image/svg+xml` or `image/png`. */
                accept?: string;
                /** @description Receipt of an ingest: waits up to 5 s until its events are visible. */
                "x-wait-for"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card with its data and their basis, or a picture of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedCard"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `Accept` names none of application/json, image/svg+xml and image/png. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The card cannot be answered any more; the message says what to change. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description Too many pictures are being drawn, or the events of the receipt are not visible yet; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The query took longer than it may. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getObservabilityDashboardCards: {
        parameters: {
            query?: {
                /** @description Default: the key's agent, else all; `*`: all. */
                agentId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        total: number;
                        cards: components["schemas"]["Card"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityDashboardCards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpsertCard"];
            };
        };
        responses: {
            /** @description The card existed and was changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        created: boolean;
                        id: string;
                        card: components["schemas"]["Card"];
                        /** @description Unknown names, wrong types, why nothing matched, what was left out. */
                        notes?: string[];
                    };
                };
            };
            /** @description The card is new. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        created: boolean;
                        id: string;
                        card: components["schemas"]["Card"];
                        /** @description Unknown names, wrong types, why nothing matched, what was left out. */
                        notes?: string[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab, or it is one of another agent. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The agent has as many cards, or the tenant as many bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDashboardCardsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        card: components["schemas"]["Card"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityDashboardCardsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityDashboardCardsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCard"];
            };
        };
        responses: {
            /** @description The changed card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        card: components["schemas"]["Card"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such card or tab. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another card asks the same. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many bytes of definitions as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDashboardTabs: {
        parameters: {
            query?: {
                /** @description Default: the key's agent, else all; `*`: all. */
                agentId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        total: number;
                        tabs: components["schemas"]["Tab"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityDashboardTabs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpsertTab"];
            };
        };
        responses: {
            /** @description The tab existed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        created: boolean;
                        id: string;
                        tab: components["schemas"]["Tab"];
                    };
                };
            };
            /** @description The tab is new. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        created: boolean;
                        id: string;
                        tab: components["schemas"]["Tab"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDashboardTabsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tab. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        tab: components["schemas"]["Tab"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityDashboardTabsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityDashboardTabsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTab"];
            };
        };
        responses: {
            /** @description The changed tab. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        tab: components["schemas"]["Tab"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The agent has a tab of that name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDashboardChanges: {
        parameters: {
            query?: {
                /** @description Default: the key's agent, else all; `*`: all. */
                agentId?: string;
                /** @description `current`: the card or tab is as the change left it; `superseded`: it changed since; `undone`. */
                state?: "current" | "superseded" | "undone";
                /** @description Default 50; more than 1000 is capped to 1000. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: components["schemas"]["DashboardChange"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityDashboardChangesIdUndo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description It is undone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        change: components["schemas"]["DashboardChange"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such change. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The card or tab was changed since, or this is undone already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The agent has as many cards, or the tenant as many bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDashboardTabsIdLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, and who may frame the page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The number of links of the tab. */
                        total: number;
                        /** @description Newest first. */
                        links: components["schemas"]["DashboardLink"][];
                        /** @description Origins whose pages may frame a shared tab. */
                        frameOrigins: string[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postObservabilityDashboardTabsIdLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareTab"];
            };
        };
        responses: {
            /** @description The link with its address. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the link. */
                        id: string;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        createdAt: string;
                        /** @description The label of the credential that made it. */
                        createdBy: string;
                        /** @description When it expires; null: never. */
                        expiresAt: string | null;
                        /** @description When it was last used, to a minute; null: never. */
                        lastUsedAt: string | null;
                        /** @description False when it has expired, or while its maker is deactivated or may not share: it opens nothing. */
                        valid: boolean;
                        /** @constant */
                        success: true;
                        /** @description The address of the page; it is in this answer alone. With .png or .svg: its picture. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many links as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deleteObservabilityDashboardTabsIdLinksLinkId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab, or no such link to it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSharedSecretJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description What follows the last slash of the link. */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tab with what its cards show. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedTab"];
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["UnknownHost"];
            /** @description The link was revoked, has expired or never was valid; the response does not say which. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests of this link or address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            /** @description Too many pictures are being drawn; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSharedSecretSvg: {
        parameters: {
            query?: {
                /** @description Colours of a picture. */
                theme?: "light" | "dark";
                /** @description BCP 47 language tag for the numbers and dates in a picture. */
                locale?: string;
                /** @description Only for PNG: 1, or 2 to double its pixels in both directions. */
                scale?: number;
            };
            header?: never;
            path: {
                /** @description What follows the last slash of the link. */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["UnknownHost"];
            /** @description The link was revoked, has expired or never was valid; the response does not say which. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests of this link or address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            /** @description Too many pictures are being drawn; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["TimedOut"];
        };
    };
    getSharedSecretPng: {
        parameters: {
            query?: {
                /** @description Colours of a picture. */
                theme?: "light" | "dark";
                /** @description BCP 47 language tag for the numbers and dates in a picture. */
                locale?: string;
                /** @description Only for PNG: 1, or 2 to double its pixels in both directions. */
                scale?: number;
            };
            header?: never;
            path: {
                /** @description What follows the last slash of the link. */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["UnknownHost"];
            /** @description The link was revoked, has expired or never was valid; the response does not say which. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests of this link or address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            /** @description Too many pictures are being drawn; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityMetrics: {
        parameters: {
            query?: {
                /** @description Words of names, titles, synonyms, terms and descriptions, best first. */
                search?: string;
                state?: "proposed" | "approved" | "deprecated";
                /** @description Default 100; more than 1000 is capped to 1000. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        metrics: components["schemas"]["Metric"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMetric"];
            };
        };
        responses: {
            /** @description The proposed metric. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        metric: components["schemas"]["Metric"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is a metric of that name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many metrics, or bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityMetricsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metric. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        metric: components["schemas"]["Metric"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such metric; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityMetricsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deprecated metric. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        metric: components["schemas"]["Metric"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such metric; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityMetricsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMetric"];
            };
        };
        responses: {
            /** @description The metric; `latestVersion` is the proposed one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        metric: components["schemas"]["Metric"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such metric; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another version was proposed at the same time. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The metric has as many versions, or the tenant as many bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityMetricsNameVersions: {
        parameters: {
            query?: {
                /** @description Default 500; more than 500 is capped to 500. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        versions: {
                            /** @description Such as Resolution rate. */
                            title: string;
                            /** @description What it means, and what it leaves out. */
                            description?: string;
                            /** @description Other names that people use for it. */
                            synonyms?: string[];
                            /** @description Such as USD, minutes or %. */
                            unit?: string;
                            /** @description How the value is written. Its members replace those of the metric. */
                            format?: {
                                prefix?: string;
                                suffix?: string;
                                decimals?: number;
                                /** @description Writes 0.25 as 25%, as a rate is by default. */
                                percent?: boolean;
                            };
                            /** @enum {string} */
                            goodDirection: "up" | "down" | "none";
                            formula: {
                                /** @description + - * /, parentheses, numbers and names of parts, such as "resolved / started". */
                                expression: string;
                                parts: {
                                    [key: string]: {
                                        eventName: string;
                                        /** @enum {string} */
                                        aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99";
                                        /** @description Needed by all but count. */
                                        propertyKey?: string;
                                        filters?: unknown[];
                                    };
                                };
                            } | {
                                eventName: string;
                                /** @enum {string} */
                                aggregation: "count" | "sum" | "avg" | "min" | "max" | "distinct_count" | "median" | "p90" | "p95" | "p99" | "rate";
                                /** @description Needed by all but count and rate. */
                                propertyKey?: string;
                                /** @description rate: the part counted against all events of eventName. */
                                numerator?: {
                                    eventName?: string;
                                    filters?: unknown[];
                                };
                                filters?: unknown[];
                            };
                            /** @description Who answers questions about it. */
                            owner?: string;
                            name: string;
                            version: number;
                            /** @enum {string} */
                            state: "proposed" | "approved" | "deprecated";
                            createdAt: string;
                            /** @description Label of the key or e-mail of the user. */
                            createdBy: string;
                            /** @description When it was approved or deprecated. */
                            decidedAt: string | null;
                            decidedBy: string | null;
                            /** @description Member by member. */
                            changes: {
                                /** @description The path of the member, such as formula.filters[0].value. */
                                path: string;
                                /** @description Left out: the member is new. */
                                before?: unknown;
                                /** @description Left out: the member is gone. */
                                after?: unknown;
                            }[];
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such metric; the message names the nearest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityMetricsNameDiff: {
        parameters: {
            query?: {
                /** @description Default: the version before `to`. */
                from?: number;
                /** @description Default: the newest version. */
                to?: number;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members that differ. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        from: number;
                        to: number;
                        /** @description Member by member. */
                        changes: {
                            /** @description The path of the member, such as formula.filters[0].value. */
                            path: string;
                            /** @description Left out: the member is new. */
                            before?: unknown;
                            /** @description Left out: the member is gone. */
                            after?: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such metric or version. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityMetricsNameApprove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveMetric"];
            };
        };
        responses: {
            /** @description The approved metric. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        metric: components["schemas"]["Metric"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such metric or version. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityTerms: {
        parameters: {
            query?: {
                /** @description Part of a term or of a synonym. */
                search?: string;
                /** @description Default 100; more than 1000 is capped to 1000. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of terms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        terms: components["schemas"]["Term"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTerm"];
            };
        };
        responses: {
            /** @description The term. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        term: components["schemas"]["Term"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The term is there already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many terms, or bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityTermsTerm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                term: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The term. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        term: components["schemas"]["Term"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such term. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityTermsTerm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                term: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such term. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityTermsTerm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                term: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTerm"];
            };
        };
        responses: {
            /** @description The changed term. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        term: components["schemas"]["Term"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such term. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many bytes of definitions as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityExplain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Receipt of an ingest: waits up to 5 s until its events are visible. */
                "x-wait-for"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainChange"];
            };
        };
        responses: {
            /** @description The contributions, and what they rest on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The change of this measure cannot be split among groups; the message says what can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityAnnotations: {
        parameters: {
            query?: {
                /** @description Included, as in events/query. */
                dateFrom?: string;
                /** @description Not included, but a day or period is included whole. */
                dateTo?: string;
                /** @description Default 100; more than 1000 is capped to 1000. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of annotations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        annotations: components["schemas"]["Annotation"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityAnnotations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAnnotation"];
            };
        };
        responses: {
            /** @description The annotation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        annotation: components["schemas"]["Annotation"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many annotations as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deleteObservabilityAnnotationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such annotation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityAnnotationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAnnotation"];
            };
        };
        responses: {
            /** @description The changed annotation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        annotation: components["schemas"]["Annotation"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such annotation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityAlerts: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                state?: "ok" | "alerting" | "no_data" | "failing";
                /** @description Id of the user who made it or switched it on last. */
                createdBy?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alerts: components["schemas"]["Alert"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlert"];
            };
        };
        responses: {
            /** @description The alert. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        alert: components["schemas"]["Alert"];
                        /** @description Signing secrets made for webhooks. They are not shown again. */
                        newSecrets: {
                            url: string;
                            secret: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many alerts, or bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityAlertsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        alert: components["schemas"]["Alert"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such alert. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityAlertsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such alert. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityAlertsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAlert"];
            };
        };
        responses: {
            /** @description The changed alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        alert: components["schemas"]["Alert"];
                        /** @description Signing secrets made for webhooks. They are not shown again. */
                        newSecrets: {
                            url: string;
                            secret: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such alert or card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed at the same time. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many bytes of definitions as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityAlertsIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What the check found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        test: components["schemas"]["AlertTest"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such alert. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The key of the targets is lost. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityAlertsIdHistory: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: components["schemas"]["AlertChange"][];
                        total: number;
                        limit: number;
                        offset: number;
                        deliveries: components["schemas"]["Delivery"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such alert. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDigests: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description Id of the user who made it or switched it on last. */
                createdBy?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of digests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        digests: components["schemas"]["Digest"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityDigests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDigest"];
            };
        };
        responses: {
            /** @description The digest. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        digest: components["schemas"]["Digest"];
                        /** @description Signing secrets made for webhooks. They are not shown again. */
                        newSecrets: {
                            url: string;
                            secret: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such tab or card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many digests as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDigestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        digest: components["schemas"]["Digest"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such digest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilityDigestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such digest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilityDigestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDigest"];
            };
        };
        responses: {
            /** @description The changed digest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        digest: components["schemas"]["Digest"];
                        /** @description Signing secrets made for webhooks. They are not shown again. */
                        newSecrets: {
                            url: string;
                            secret: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such digest, tab or card. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed at the same time. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilityDigestsIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What was sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description A message for each target; `deliveries` says how each was delivered. */
                        deliveries: {
                            id: string;
                            target: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such digest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The key of the targets is lost. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityDigestsIdHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such digest. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getObservabilityDeliveries: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description dead: given up after all attempts. */
                state?: "waiting" | "sent" | "dead";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilitySegments: {
        parameters: {
            query?: {
                /** @description Part of a name or title. */
                search?: string;
                /** @description Default 100; more than 1000 is capped to 1000. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of segments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        segments: components["schemas"]["Segment"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postObservabilitySegments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSegment"];
            };
        };
        responses: {
            /** @description The segment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        segment: components["schemas"]["Segment"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The segment is there already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many segments, or bytes of definitions, as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilitySegmentsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The segment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        segment: components["schemas"]["Segment"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such segment. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteObservabilitySegmentsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such segment. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchObservabilitySegmentsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSegment"];
            };
        };
        responses: {
            /** @description The changed segment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        segment: components["schemas"]["Segment"];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such segment. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The tenant has as many bytes of definitions as it can. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getObservabilityCasesHandle: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events, and what they belong to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseEvents"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    patchUsersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
            };
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            /** @description The changed user. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tenant has the e-mail already, or the user is its last active administrator. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postConnectorsConnector: {
        parameters: {
            query?: {
                /** @description staging or production; without one the server's default applies, then the connector's. */
                environment?: "staging" | "production";
            };
            header?: never;
            path: {
                /** @description The connector's slug, or its name. */
                connector: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecuteConnector"];
            };
        };
        responses: {
            /** @description What the API answered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutedCall"];
                };
            };
            /** @description Invalid input; `error` names each field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such connector, or it has no such resource. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description The content type is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description Too many requests with this credential; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds after which a retry makes sense. */
                    "retry-after"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description Server error; safe to retry with backoff. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description The API failed, refused the call, could not be reached or may not be; `metadata.status` is what it answered. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description Too many calls are under way, or a secret cannot be had; the call was not made. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
            /** @description The API did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCall"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Quotas and their usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The e-mail address of the user; its case does not matter. */
                    email: string;
                    /** @description The password of the user. */
                    password: string;
                    /**
                     * @description `cookie` also sets the cookie `ar_session`, for pages of this server.
                     * @enum {string}
                     */
                    session?: "token" | "cookie";
                    /** @description Name or id. Needed when e-mail and password fit users of several tenants. */
                    tenant?: string;
                };
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            /** @description E-mail and password are right, and a second factor is needed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorNeeded"];
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The e-mail or the password is wrong, or this user may not log in; the response does not say which. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request asks for a cookie, but does not come from a page of this server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Too many failures; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalLoginLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What follows `#link=` in the link. */
                    secret: string;
                };
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The link was used already, has expired or never was valid, or its user may not log in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request asks for a cookie, but does not come from a page of this server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Too many failures of this address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The session is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description User, tenant and scopes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPortalMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAccount"];
            };
        };
        responses: {
            /** @description The account is changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalSessions: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The sessions. */
                        sessions: components["schemas"]["UserSession"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalSessions: {
        parameters: {
            query?: {
                /** @description `true` ends the session that asks, too. */
                all?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many were ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many sessions were ended. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalSessionsAll: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description A part of the name or the e-mail of the user; case and accents do not matter. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them; `total` counts at most 1000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The sessions. */
                        sessions: components["schemas"]["SessionOfUser"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalSessionsAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many were ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many sessions were ended. */
                        ended: number;
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePortalSessionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description You have no such session, or it has ended. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalUsersIdSessions: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The sessions. */
                        sessions: components["schemas"]["UserSession"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalUsersIdSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many were ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many sessions were ended. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePortalUsersIdSessionsSessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
                /** @description The UUID of the session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user, or no such session of the user, or it has ended. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalLoginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticket that the login answered. */
                    ticket: string;
                    /** @description Six digits of the authenticator app. */
                    code?: string;
                    /** @description One of the ten, in any case, with or without hyphens. */
                    recoveryCode?: string;
                    /** @description What `navigator.credentials.get` answered, as JSON. */
                    passkey?: components["schemas"]["PasskeyAssertion"];
                    /**
                     * @description `cookie` also sets the cookie `ar_session`, for pages of this server.
                     * @enum {string}
                     */
                    session?: "token" | "cookie";
                };
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The ticket was used, has expired or failed too often, or the user may not log in any more. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request asks for a cookie, but does not come from a page of this server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The second factor is wrong, or was used already. The ticket stays valid for another attempt. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many wrong codes; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalLoginSecondFactorEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticket that the login answered. */
                    ticket: string;
                    /**
                     * @description What is to be added.
                     * @enum {string}
                     */
                    method: "code" | "passkey";
                };
            };
        };
        responses: {
            /** @description The secret for the app, or the options for the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Settings for the authenticator app; null for a passkey. */
                        totp: {
                            /** @description The secret to type into the app, in Base32. */
                            secret: string;
                            /** @description The secret as an `otpauth:` URI, for a QR code. */
                            uri: string;
                        } | null;
                        /** @description Options for `navigator.credentials.create`; null for codes. */
                        passkeyOptions: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The ticket was used, has expired or failed too often, or the user may not log in any more. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["UnknownHost"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Passkeys do not work at the address of this request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalLoginSecondFactorEnrolmentConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticket that the login answered. */
                    ticket: string;
                    /** @description Six digits of the authenticator app. */
                    code?: string;
                    /** @description What `navigator.credentials.create` answered, as JSON. */
                    passkey?: components["schemas"]["PasskeyRegistration"];
                    /** @description The name of the passkey; default `Passkey`. */
                    name?: string;
                    /**
                     * @description `cookie` also sets the cookie `ar_session`, for pages of this server.
                     * @enum {string}
                     */
                    session?: "token" | "cookie";
                };
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Send it as `Authorization: Bearer <token>`. */
                        token: string;
                        /**
                         * Format: date-time
                         * @description When the session expires: twelve hours from now.
                         */
                        expiresAt: string;
                        /** @description Who has logged in. */
                        user: components["schemas"]["SessionUser"];
                        /** @description Shown this once; null where the user has some already. */
                        recoveryCodes: string[] | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The ticket was used, has expired or failed too often, or the user may not log in any more. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request asks for a cookie, but does not come from a page of this server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user has a second factor by now: log in again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The code or the passkey does not fit, or nothing was begun. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalLoginPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The ticket, and the options for the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The ticket for the next request. */
                        ticket: string;
                        /** @description Options for `navigator.credentials.get`. */
                        passkeyOptions: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["UnknownHost"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Passkeys do not work at the address of this request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalLoginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticket that the login answered. */
                    ticket: string;
                    /** @description What `navigator.credentials.get` answered, as JSON. */
                    passkey: components["schemas"]["PasskeyAssertion"];
                    /**
                     * @description `cookie` also sets the cookie `ar_session`, for pages of this server.
                     * @enum {string}
                     */
                    session?: "token" | "cookie";
                };
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The ticket is void, or the user of the passkey may not log in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request asks for a cookie, but does not come from a page of this server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The passkey is not accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many failures of this address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalMeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your second factors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactors"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalMeSecondFactorEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What is to be added.
                     * @enum {string}
                     */
                    method: "code" | "passkey";
                };
            };
        };
        responses: {
            /** @description The secret for the app, or the options for the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Settings for the authenticator app; null for a passkey. */
                        totp: {
                            /** @description The secret to type into the app, in Base32. */
                            secret: string;
                            /** @description The secret as an `otpauth:` URI, for a QR code. */
                            uri: string;
                        } | null;
                        /** @description Options for `navigator.credentials.create`; null for codes. */
                        passkeyOptions: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Passkeys do not work at the address of this request, or you have 20. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalMeSecondFactorEnrolmentConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Six digits of the authenticator app. */
                    code?: string;
                    /** @description What `navigator.credentials.create` answered, as JSON. */
                    passkey?: components["schemas"]["PasskeyRegistration"];
                    /** @description The name of the passkey; default `Passkey`. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The factor is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown this once; null where the user has some already. */
                        recoveryCodes: string[] | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The code or the passkey does not fit, or nothing was begun. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalMeSecondFactorTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factor is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description You have none. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tenant requires a second factor, and this is the only one. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePortalMeSecondFactorPasskeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the passkey. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factor is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description You have no such passkey. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tenant requires a second factor, and this is the only one. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPortalMeSecondFactorPasskeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the passkey. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the user calls it. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The renamed passkey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description You have no such passkey. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalMeSecondFactorRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The new codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown this once. Former ones are void. */
                        recoveryCodes: string[];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description You have no second factor. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalMeStepUpOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The methods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the user can give: members of the next request. */
                        methods: ("code" | "passkey" | "recoveryCode")[];
                        /** @description Options for `navigator.credentials.get`; null without a passkey. */
                        passkeyOptions: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalMeStepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Six digits of the authenticator app. */
                    code?: string;
                    /** @description One of the ten, in any case, with or without hyphens. */
                    recoveryCode?: string;
                    /** @description What `navigator.credentials.get` answered, as JSON. */
                    passkey?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Repeat the request that needed it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Until when this session may make changes that need it.
                         */
                        validUntil: string;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The second factor is wrong, or was used already. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or too many wrong codes; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalUsersIdSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the user has an authenticator app. */
                        totp: boolean;
                        /** @description How many passkeys the user has. */
                        passkeys: number;
                        /** @description Whether the tenant requires a second factor of the user. */
                        required: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePortalUsersIdSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was removed and ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many factors were removed. */
                        removed: number;
                        /** @description How many sessions were ended. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalKeys: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description A part of the label or of the id; the case of A to Z does not matter. */
                search?: string;
                /** @description `active`: neither revoked nor expired. `expiring`: active for at most 30 more days. `all` is the default. */
                state?: "active" | "expiring" | "expired" | "revoked" | "all";
                /** @description Id of the user who made the keys. */
                maker?: string;
                /** @description True: only active keys whose maker is deactivated or gone. */
                leavers?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The keys. */
                        keys: components["schemas"]["ApiKey"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestKey"];
            };
        };
        responses: {
            /** @description The key is there. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such agent, and you may not create it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description You, or the tenant, have as many active keys as there may be. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Too many requests, or too many keys made at once. See Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalKeys: {
        parameters: {
            query: {
                /** @description Id of the user who made the keys. */
                createdBy: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that were valid, with `revokedAt`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first; empty where there was none. */
                        revoked: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalKeysIdRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The part of the key between `ar_` and the second underscore. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateKey"];
            };
        };
        responses: {
            /** @description The key with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is revoked. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The part of the key between `ar_` and the second underscore. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key with `revokedAt`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalAuthorizationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the address of the page, `/authorize/ID`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationRequest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The request was answered already, or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalAuthorizationsIdAllow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the address of the page, `/authorize/ID`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What you allow, of what the application asks for. */
                    scopes: ("mcp:read" | "chat:write" | "events:read" | "events:write" | "executions:read" | "executions:write" | "reviews:read" | "reviews:write" | "dashboards:read" | "dashboards:write" | "knowledge:read" | "knowledge:write" | "users:write" | "connectors:execute" | "metrics:read" | "metrics:write" | "alerts:read" | "alerts:write")[];
                    /** @description What it is held to, beside what your role is; see docs/limits-below-tenant.md. */
                    limits?: components["schemas"]["Limits"] | null;
                    /** @description The days after which the permission ends. */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description Go on there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address of this server at which the browser goes on to the application. */
                        continueAt: string;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The request was answered already, or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalAuthorizationsIdRefuse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the address of the page, `/authorize/ID`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Go on there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address of this server at which the browser goes on to the application. */
                        continueAt: string;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The request was answered already, or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalGrants: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of grants; `total` counts at most 1,000. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The grants. */
                        grants: components["schemas"]["OAuthGrant"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalGrantsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the grant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The permission is ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such grant. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalUsers: {
        parameters: {
            query?: {
                /** @description Default 50; more than 100 is capped to 100. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description A part of the name or the e-mail; case and accents do not matter. */
                search?: string;
                /** @description Only users with this role. */
                role?: "ADMIN" | "USER" | "VIEWER" | "SUPER_ADMIN" | "HUB_USER";
                /** @description Only users who may log in, or only those who may not. */
                state?: "active" | "inactive";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them; total counts all that match. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The users. */
                        users: components["schemas"]["User"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The tenant has a user with this e-mail, in whatever case. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The password is easy to guess; the message says why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalUsersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPortalUsersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
            };
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            /** @description The changed user. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tenant has the e-mail already, or the user is its last active administrator. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    putPortalUsersIdPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 12 to 200 characters, and not easy to guess: 422 says why one is. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The password is easy to guess; the message says why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalMePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one until now. */
                    currentPassword: string;
                    /** @description 12 to 200 characters, and not easy to guess: 422 says why one is. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description currentPassword is wrong, or the new one is easy to guess. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalInvitations: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The invitations. */
                        invitations: components["schemas"]["Invitation"][];
                        /** @description Whether the server can send links by e-mail: the operator has set a mail server. */
                        mail: boolean;
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Invite"];
            };
        };
        responses: {
            /** @description The invitation with its link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invited"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The tenant has a user with this e-mail, in whatever case, or too many open invitations. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description With `mail`: the server sends no e-mail, or not to this address. Nothing was made. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalInvitationsDescribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What follows `#` in the link. */
                    secret: string;
                };
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescribedInvitation"];
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["UnknownHost"];
            /** @description The invitation was used or revoked, has expired or never was valid; the response does not say which. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Too many failures of this address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalInvitationsAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description The user is made and logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            /** @description Log in with an identity provider of the tenant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Joined"];
                };
            };
            /** @description The user is made, and a second factor is needed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorNeeded"];
                };
            };
            400: components["responses"]["InvalidInput"];
            /** @description The request asks for a cookie, but does not come from a page of this server. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tenant has a user with this e-mail by now: log in. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The invitation was used or revoked, has expired or never was valid; the response does not say which. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The password is easy to guess; the message says why. The invitation stays open. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many failures of this address; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalInvitationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UUID of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such open invitation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalAgents: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The agents. */
                        agents: components["schemas"]["Agent"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique within the tenant. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The agent is there. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is an agent of that name. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalConnectors: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of connectors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The connectors. */
                        connectors: components["schemas"]["ConnectorSummary"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalConnectorsSlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such connector. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPortalConnectorsSlug: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
                /** @description `*`: only if there is none of this slug yet; otherwise 412. */
                "if-none-match"?: string;
            };
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutConnector"];
            };
        };
        responses: {
            /** @description The connector was replaced. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedConnector"];
                };
            };
            /** @description The connector is new. */
            201: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedConnector"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalConnectorsSlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such connector. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalConnectorsSlugImportPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewImport"];
            };
        };
        responses: {
            /** @description What a PUT would store. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            /** @description The document cannot be used; `message` names the line or the place. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            /** @description It took too long to read. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postPortalConnectorsSlugTry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryConnector"];
            };
        };
        responses: {
            /** @description What was sent, and what came back. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriedCall"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such connector, or it has no such resource. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalConnectorsSlugCircuits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The circuits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each environment. */
                        circuits: components["schemas"]["Circuit"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such connector. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalConnectorsSlugTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug that calls use. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description In the order of `tools/list`. */
                        tools: components["schemas"]["ConnectorTool"][];
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such connector. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalCredentials: {
        parameters: {
            query?: {
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The credentials. */
                        credentials: components["schemas"]["Credential"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    putPortalCredentialsName: {
        parameters: {
            query?: never;
            header?: {
                /** @description `*`: only if there is none of this name yet; otherwise 412. */
                "if-none-match"?: string;
            };
            path: {
                /** @description The name that definitions and calls use. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutCredential"];
            };
        };
        responses: {
            /** @description The credential was replaced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCredential"];
                };
            };
            /** @description The credential is new. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCredential"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is a credential of this name already; see If-None-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalCredentialsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name that definitions and calls use. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such credential. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A connector lists it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Vendors and definitions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProviders"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalProvidersName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name that requests use as `providerName`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProvider"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPortalProvidersName: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
                /** @description `*`: only if there is none of this name yet; otherwise 412. */
                "if-none-match"?: string;
            };
            path: {
                /** @description The name that requests use as `providerName`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutModelProvider"];
            };
        };
        responses: {
            /** @description The provider as it is now. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProvider"];
                };
            };
            /** @description The provider is new. */
            201: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProvider"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description A stored secret would go to another address or vendor, or none is stored; or too many providers. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalProvidersName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name that requests use as `providerName`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Others fall back on it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalProvidersNameModels: {
        parameters: {
            query?: {
                /** @description Default 50; more than 200 is capped to 200. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description A part of the id or the name, in whatever case. */
                search?: string;
            };
            header?: never;
            path: {
                /** @description The name that requests use as `providerName`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them; none for an address that the table does not know. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The models. */
                        models: components["schemas"]["KnownModel"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalProvidersVendorsVendorModels: {
        parameters: {
            query?: {
                /** @description Default 50; more than 200 is capped to 200. */
                limit?: number;
                /** @description How many to pass over. */
                offset?: number;
                /** @description A part of the id or the name, in whatever case. */
                search?: string;
            };
            header?: never;
            path: {
                /** @description The vendor. */
                vendor: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them; none for an address that the table does not know. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The models. */
                        models: components["schemas"]["KnownModel"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalProvidersNameTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name that requests use as `providerName`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestProvider"];
            };
        };
        responses: {
            /** @description Whether it works, and if not, why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderTest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Too many tests, or a budget of the tenant has no room. See Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalProvidersVendorsVendorTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The vendor. */
                vendor: "openai" | "anthropic" | "bedrock" | "groq" | "gemini" | "xai";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestProvider"];
            };
        };
        responses: {
            /** @description Whether it works, and if not, why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderTest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Too many tests, or a budget of the tenant has no room. See Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalEventNames: {
        parameters: {
            query?: {
                /** @description Only events of this agent; otherwise of all. */
                agentId?: string;
                /** @description Part of the name; when none has it, names that come close. */
                search?: string;
                /** @description Default 100; more than 1000 is capped to 1000. */
                limit?: number;
                /** @description The number to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The events. */
                        eventNames: components["schemas"]["DiscoveredEvent"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalEventProperties: {
        parameters: {
            query: {
                /** @description The event that is asked about. */
                eventName: string;
                /** @description Only events of this agent; otherwise of all. */
                agentId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The event that was asked about. */
                        eventName: string;
                        /** @description The properties, in the order of their appearance. */
                        properties: components["schemas"]["DiscoveredProperty"][];
                        /** @description The number of properties. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalPropertyValues: {
        parameters: {
            query: {
                /** @description The event that is asked about. */
                eventName: string;
                /** @description The key as event-properties names it; dotted where it lies inside an object. */
                propertyKey: string;
                /** @description Only events of this agent; otherwise of all. */
                agentId?: string;
                /** @description Default 20; more than 100 is capped to 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Values and how often they occur. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The event that was asked about. */
                        eventName: string;
                        /** @description The key that was asked about. */
                        propertyKey: string;
                        /** @description The type, as event-properties gives it. */
                        type: string;
                        /** @description The most frequent ones, over all events. */
                        values: {
                            /** @description The value. */
                            value: unknown;
                            /** @description The number of events with it. */
                            count: number;
                        }[];
                        /** @description The number of different values. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The event has no such property; the message says which it has. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalAggregate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AggregateEvents"];
            };
        };
        responses: {
            /** @description The KPI, and what it rests on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AggregateAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The question cannot be answered; the message says what to change. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalFirstHour: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps, and what the events suggest to ask. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstHour"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPortalFirstHour: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeFirstHour"];
            };
        };
        responses: {
            /** @description The steps as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstHour"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalSampleData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleData"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalSampleData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description It is there, and can be asked about. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleData"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description It is there, or is being loaded. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalSampleData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no sample data. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is being loaded. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPortalSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description IANA name: what dates without an offset mean, and where days begin. */
                    timezone?: string;
                    /** @description The days for which events are kept; null: for ever. */
                    retentionDays?: number | null;
                    /** @description The days for which executions are kept, by their start; their reviews stay. null: for ever. */
                    executionRetentionDays?: number | null;
                    /**
                     * @description Who needs a second factor, from their next login on; see docs/second-factor.md.
                     * @enum {string}
                     */
                    secondFactor?: "optional" | "administrators" | "everyone";
                    /** @description Whether its users may log in with a password; docs/sso.md has the conditions for false. */
                    passwordLogin?: boolean;
                    /** @description What users of a role, and applications that act for them, are held to; see docs/limits-below-tenant.md. */
                    roleLimits?: {
                        [key: string]: components["schemas"]["Limits"];
                    } | null;
                };
            };
        };
        responses: {
            /** @description The settings as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description `passwordLogin` is switched off only in a session that an identity provider of the tenant opened. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalLoginSso: {
        parameters: {
            query?: {
                /** @description Name or id. Without it the only tenant of the installation, if there is one only. */
                tenant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to log in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The identity providers with which people may log in here. */
                        providers: {
                            /** @description The name on the button. */
                            name: string;
                            /**
                             * @description Whose product it is.
                             * @enum {string}
                             */
                            preset: "google" | "microsoft" | "okta" | "keycloak" | "authentik" | "other";
                            /** @description Path below the address of the server. A browser begins the login there; `to` is the page to return to. */
                            startUrl: string;
                        }[];
                        /** @description Whether passwords are accepted. */
                        passwordLogin: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["UnknownHost"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalIdentityProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The identity providers. */
                        identityProviders: components["schemas"]["IdentityProvider"][];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalIdentityProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIdentityProvider"];
            };
        };
        responses: {
            /** @description The identity provider is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProvider"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The id is taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Members contradict each other; the message names them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalIdentityProvidersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the identity provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity provider. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProvider"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePortalIdentityProvidersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the identity provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity provider is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Password logins are switched off, and this is the only enabled identity provider. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPortalIdentityProvidersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
            };
            path: {
                /** @description The id of the identity provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeIdentityProvider"];
            };
        };
        responses: {
            /** @description The identity provider as it is now. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProvider"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Password logins are switched off, and this is the only enabled identity provider. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description Members contradict each other; the message names them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    postPortalIdentityProvidersIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the identity provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderTest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalQuotas: {
        parameters: {
            query?: {
                /** @description A part of the label or the id of keys, in any case. */
                search?: string;
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description How many keys to pass over. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quotas. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The tenant's own. */
                        tenant: components["schemas"]["TenantQuotas"];
                        /** @description One page of keys. */
                        keys: components["schemas"]["KeyQuotas"][];
                        /** @description The total number. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    patchPortalQuotas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaChanges"];
            };
        };
        responses: {
            /** @description The quotas as they are now. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantQuotas"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalKeysIdQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The part of the key between `ar_` and the second underscore. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quotas. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyQuotas"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPortalKeysIdQuotas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the answer that was read: if somebody has changed it since, 412, and nothing is stored. */
                "if-match"?: string;
            };
            path: {
                /** @description The part of the key between `ar_` and the second underscore. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyQuotaChanges"];
            };
        };
        responses: {
            /** @description The quotas as they are now. */
            200: {
                headers: {
                    /** @description The version of what was read, for If-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyQuotas"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was changed since it was read; see If-Match. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalUsageHistory: {
        parameters: {
            query?: {
                /** @description Tokens, or US dollars. */
                unit?: "tokens" | "USD";
                /** @description How many days, today included. Default 30; more than 92 is capped to 92. */
                days?: number;
                /** @description Id of a key; without it, the whole tenant. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalAuditLog: {
        parameters: {
            query?: {
                /** @description Only this action, for example `key.created`; with a period at its end, all on one noun: `key.`. */
                action?: string;
                /** @description Only of the user or key with this id or, as it was then, this e-mail or label; `operator` is one. */
                actor?: string;
                /** @description Only what was done to this id. */
                target?: string;
                /** @description Only entries at or after this time: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Only entries before this time; a date without a time includes that day. */
                dateTo?: string;
                /** @description Default 50; more than 500 is capped to 500. */
                limit?: number;
                /** @description The number of entries to skip. `before` and `after` reach all, and stay where they are. */
                offset?: number;
                /** @description Only entries before the place that `older` of an answer names. */
                before?: string;
                /** @description Only the entries next after the place that `newer` of an answer names. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The lines. */
                        entries: components["schemas"]["AuditEntry"][];
                        /** @description The number of matching lines; counts at most 10000. */
                        total: number;
                        /** @description The largest number that was asked for. */
                        limit: number;
                        /** @description The number that was skipped. */
                        offset: number;
                        /** @description For `before`: the page of older lines; null: there are none. */
                        older: string | null;
                        /** @description For `after`: the page of newer lines; null: there are none. */
                        newer: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalAuditLogExport: {
        parameters: {
            query?: {
                /** @description Only this action, for example `key.created`; with a period at its end, all on one noun: `key.`. */
                action?: string;
                /** @description Only of the user or key with this id or, as it was then, this e-mail or label; `operator` is one. */
                actor?: string;
                /** @description Only what was done to this id. */
                target?: string;
                /** @description Only entries at or after this time: ISO 8601, or relative as in queries. */
                dateFrom?: string;
                /** @description Only entries before this time; a date without a time includes that day. */
                dateTo?: string;
                /** @description NDJSON or CSV. */
                format?: "ndjson" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description NDJSON: one line each, with the members of an entry and `tenantId`. CSV: a header, then one each. */
            200: {
                headers: {
                    /** @description The name of a file. */
                    "content-disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description Too many exports are under way; see Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, as the quotas count them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantData"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalDataOlderEvents: {
        parameters: {
            query: {
                /** @description A retention, in days. */
                days: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OlderEvents"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalStorage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry for each store. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Storage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of your own tenant, as a confirmation: everything of it is erased, you with it. */
                    tenant?: string;
                    /** @description The thread whose events, executions, reviews and assessments are erased. */
                    threadId?: string;
                    /** @description The end user whose executions and threads are erased, by the id that your application uses. */
                    userId?: string;
                };
            };
        };
        responses: {
            /** @description What was erased. After the erasure of the tenant the session cookie is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erased"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description `tenant` is not the name of your tenant. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPortalBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupStatus"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Seals the backup; without it nobody can open the file. It is stored nowhere. */
                    passphrase: string;
                };
            };
        };
        responses: {
            /** @description It is being made. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunBackup"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description A backup is being made already, or the installation has no files to back up. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    deletePortalBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None is being made any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalBackupTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ticket that POST /api/v1/portal/backup gave. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file: a tar archive, compressed and sealed with age. */
            200: {
                headers: {
                    /** @description The name of the file. */
                    "content-disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The ticket is unknown, used, expired or of another session. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPortalSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPortalSystemDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description One finding for each check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorReport"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The checks are running already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            /** @description They took longer than two minutes. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            403: components["responses"]["UnknownHost"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ready";
                        /** @description Whether the stores that nodes share answer; only on nodes. */
                        dependencies?: {
                            [key: string]: "ok" | "unavailable";
                        };
                    };
                };
            };
            403: components["responses"]["UnknownHost"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            403: components["responses"]["UnknownHost"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            403: components["responses"]["UnknownHost"];
        };
    };
    getDocsPlain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            403: components["responses"]["UnknownHost"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
        };
    };
    postMcp: {
        parameters: {
            query?: never;
            header: {
                /** @description Both `application/json` and `text/event-stream`. */
                accept: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The answer, as JSON or as events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/event-stream": string;
                };
            };
            /** @description A notification was taken. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No JSON, or no message of the protocol. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description `accept` does not name both content types. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            413: components["responses"]["TooLarge"];
            /** @description The content type is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            429: components["responses"]["RateLimited"];
        };
    };
    getMcpServerCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/mcp-server-card+json": Record<string, never>;
                };
            };
            /** @description The client has this version, as `If-None-Match` says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["UnknownHost"];
        };
    };
    getAiCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalog. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/ai-catalog+json": Record<string, never>;
                };
            };
            /** @description The client has this version, as `If-None-Match` says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["UnknownHost"];
        };
    };
}
