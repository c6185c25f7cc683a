import { t } from '../../../language/index.ts';
import type { Definition } from '../types.ts';

/** The props of each part of a connector's page. */
export interface PartProps {
  definition: Definition;
}

/** Periods of the health of a connector. */
export const RANGES = [
  { value: '-24h', label: t('Last 24 hours') },
  { value: '-7d', label: t('Last 7 days') },
  { value: '-30d', label: t('Last 30 days') },
] as const;
export type Range = (typeof RANGES)[number]['value'];
