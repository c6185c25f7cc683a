import { S3Client } from '@aws-sdk/client-s3';
import type { BucketUrl } from '../../../core/bucket-url.ts';

const CONNECT_MS = 5_000;
/** A connection without a byte in either direction, within an answer too. */
const IDLE_MS = 60_000;
const ATTEMPTS = 3;
/** The region that servers beside AWS expect if they have none. */
const ANY_REGION = 'us-east-1';

export function makeClient({ endpoint, region, isPathStyle, credentials }: BucketUrl): S3Client {
  const ofServer = endpoint === null ? {} : { endpoint, region: ANY_REGION };
  const client = new S3Client({
    ...ofServer,
    ...(region !== null && { region }),
    ...(credentials && { credentials }),
    forcePathStyle: isPathStyle,
    maxAttempts: ATTEMPTS,
    // Many servers refuse the checksums that AWS has added. Signatures cover what is sent.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { date } = (result.response as { headers: Record<string, string | undefined> }).headers;
      Object.assign((result.output as { $metadata: object }).$metadata, { date });
      return result;
    },
    // Outside the SDK's own step, which makes the output.
    { step: 'deserialize', priority: 'high', name: 'serverDate' },
  );
  return client;
}

/** Epoch milliseconds by the server's clock: ages must not depend on the clock of a node. */
export function serverTime({ $metadata }: { $metadata: object }): number {
  const time = Date.parse(($metadata as { date?: string }).date ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}
