/** A consistent copy of all data in a directory of its own, ready to be packed. */
export interface StagedBackup {
  directory: string;
  /** Epoch milliseconds: the copy has everything acknowledged before. */
  createdAt: number;
}
