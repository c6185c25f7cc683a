/** A consistent copy of everything acknowledged before `createdAt` (epoch milliseconds). */
export interface StagedBackup {
  directory: string;
  createdAt: number;
}
