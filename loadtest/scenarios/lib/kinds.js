/**
 * Returns the kinds that a visit is to be counted as: its source and its outcome when it counts, why not when it does
 * not. A bot is a bot whatever it asks; what the stack records nothing of has a kind here all the same.
 */
export function kindsOf({ outcome, isBot, isHead, isScan }) {
  if (['unknown', 'undecided', 'unavailable'].includes(outcome)) return [outcome];
  if (isBot) return ['bot'];
  if (isHead) return ['head'];
  if (outcome === 'deleted') return ['deleted'];
  return [isScan ? 'scan' : 'click', outcome];
}
