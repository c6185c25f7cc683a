import { PageHead } from '../../ui/page-head.tsx';

export function Feed() {
  return <PageHead title="Events" />;
}
