import { useSyncExternalStore } from 'react';
import { isStepUpWaiting, onStepUp } from '../api/step-up.ts';
import { lazyDialog } from '../ui/lazy-dialog.tsx';

const StepUpDialog = lazyDialog(() => import('../second-factor/step-up-dialog.tsx'));

/** Asks for the second factor as soon as a request needs it. */
export function StepUp() {
  return useSyncExternalStore(onStepUp, isStepUpWaiting) && <StepUpDialog />;
}
