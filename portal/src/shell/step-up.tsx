import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isStepUpWaiting, onStepUp } from '../api/step-up.ts';

const StepUpDialog = lazy(() => import('../second-factor/step-up-dialog.tsx'));

/** Asks for the second factor as soon as a request needs it. */
export function StepUp() {
  const isWaiting = useSyncExternalStore(onStepUp, isStepUpWaiting);
  if (!isWaiting) return null;
  return (
    <Suspense>
      <StepUpDialog />
    </Suspense>
  );
}
