/** The product's mark; index.html has the same one as its icon. */
export function Mark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M10.5 13.5a3 3 0 0 0 4.2 0l2.4-2.4a3 3 0 0 0-4.2-4.2l-.9.9m1.5 2.7a3 3 0 0 0-4.2 0l-2.4 2.4a3 3 0 0 0 4.2 4.2l.9-.9"
        fill="none"
        stroke="var(--on)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  );
}
