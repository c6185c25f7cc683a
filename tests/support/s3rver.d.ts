/** What of s3rver is used: it has no types. */
declare module 's3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Readable } from 'node:stream';

  export interface StoredContent {
    bucket: string;
    key: string;
    metadata: object;
    content: Readable | Buffer;
  }

  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    configureBuckets(): Promise<void>;
    logger: { exceptions: { unhandle(): void }; close(): void };
    store: {
      getResourcePath(bucket: string, key: string, resource: string): string;
      initiateUpload(bucket: string, key: string, uploadId: string, metadata: object): Promise<void>;
      putMetadata(bucket: string, key: string, metadata: object): Promise<void>;
      putObject(object: StoredContent): Promise<{ size: number; md5: string }>;
      getMetadata(bucket: string, key: string): Promise<{ etag: string; 'content-length': number }>;
    };
  }
}
