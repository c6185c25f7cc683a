import type { RequestListener } from 'node:http';

/** Only on the directory's socket. */
export const OPERATIONS_PATH = '/-/operations/';

export interface OwnedServer {
  listener: RequestListener;
  operations?: RequestListener;
  /** Called at the start of a shutdown: requests that wait for their turn are answered. */
  refuseWaiting?(): void;
  /** Called just before connections are closed. */
  abortRequests?(): void;
  close(): Promise<void>;
}

/** The response of `/-/owner`. */
export interface OwnerInfo {
  command: string;
  pid: number;
  url?: string | undefined;
  stopping?: boolean | undefined;
  /** It releases the directory when asked. */
  yields?: boolean | undefined;
}
