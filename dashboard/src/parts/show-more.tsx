import { Button } from './button.js';
import { useWords } from './words.js';

/** Asks an infinite query for its next page, while there is one. */
export function ShowMore({
  query,
}: {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}) {
  const words = useWords();
  if (!query.hasNextPage) return null;
  return (
    <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {words.showMore}
    </Button>
  );
}
