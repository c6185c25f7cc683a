import type { RequestListener } from 'node:http';

/** The owner answers operations below this path, only on the directory's socket. */
export const OPERATIONS_PATH = '/-/operations/';

/** What an owner has open. */
export interface OwnedServer {
  listener: RequestListener;
  /** Answers below OPERATIONS_PATH. */
  operations?: RequestListener;
  /** Ends the requests that are still running, just before their connections are closed. */
  abortRequests?(): void;
  close(): Promise<void>;
}

/** What an owner answers at `/-/owner`. */
export interface OwnerInfo {
  command: string;
  pid: number;
  /** The address that it serves, if any. */
  url?: string | undefined;
  /** It is shutting down. */
  stopping?: boolean | undefined;
  /** It gives the directory up when asked. */
  yields?: boolean | undefined;
}
