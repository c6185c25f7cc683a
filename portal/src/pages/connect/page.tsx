import { PageHead } from '../../ui/page-head.tsx';

export function Connect() {
  return <PageHead title="Connect" />;
}
