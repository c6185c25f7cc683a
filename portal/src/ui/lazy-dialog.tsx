import { type ComponentType, lazy, Suspense } from 'react';

/** A dialog that is loaded when it opens first: dialogs are larger than most pages. */
export function lazyDialog<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Dialog = lazy(load) as unknown as ComponentType<Props>;
  return (props: Props) => (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
