import type { Section } from './statement.js';
import * as t from './test-files.js';

/** decisions.md: slugs, status, PATCH, list and idempotency. */
export const LINKS: readonly Section[] = [
  {
    title: 'Slugs',
    statements: {
      'slug-assigned': [
        'An assigned slug has 6 characters that cannot be misread',
        t.create('a valid create gives six characters that are easy to read when none are asked for'),
        t.slugText('assigns every character of its alphabet and nothing that can be misread'),
      ],
      'slug-retries': [
        'When it is taken three more are tried, then 7 characters',
        t.assignedSlug('after 0 taken slugs the assigned one has 6 characters'),
        t.assignedSlug('after 3 taken slugs the assigned one has 6 characters'),
        t.assignedSlug('after 4 taken slugs the assigned one has 7 characters'),
      ],
      'slug-index': [
        'The unique index decides, not a look beforehand',
        t.races('one slug in mixed case goes to one of 50 creates of two users, all types'),
      ],
      'slug-typed': [
        'A slug is stored and returned as it was typed',
        t.create('a valid create keeps the slug Q as typed'),
        t.rename('to another spelling of the same address makes no alias'),
      ],
      'slug-case': [
        'It is unique without regard to case',
        t.conflicts('a slug that is taken, in any case and by anybody, is 409 and stores nothing'),
        t.slugText('looks slugs up without regard to case'),
      ],
      'slug-owner': [
        'Once used it never goes to another owner',
        t.slugs('neither the address nor an alias of a deleted link goes to another owner'),
        t.conflicts('a slug whose owner was erased goes to nobody'),
      ],
      'slug-alias': [
        'After a rename the former slug is an alias',
        t.rename('keeps the old address as an alias, and its owner may take it back on the same link'),
      ],
      'slug-alias-back': [
        'Its owner may take an alias back on the same link',
        t.rename('keeps the old address as an alias, and its owner may take it back on the same link'),
      ],
      'slug-alias-taken': [
        'What is an alias of a link that lives cannot be had: 409',
        t.rename('to the address or an alias of another live link is 409, in any case, and changes nothing'),
        t.slugs('an alias belongs to its link while that lives, Paused too, for its owner as for anybody'),
      ],
      'slug-aliases': [
        'A link has at most 20 aliases',
        t.rename('keeps twenty aliases and refuses the twenty-first'),
      ],
      'slug-again': [
        'The owner of a deleted link may use its slug again',
        t.conflicts('a slug of a deleted link is free to its owner and to nobody else, in any case'),
        t.slugs('the owner of a deleted link may use its address and its aliases again, in a create'),
        t.slugs('the owner of a deleted link may use its address and its aliases again, in a rename'),
      ],
      'slug-four-words': [
        'No word but the four is refused',
        t.slugs('q is an address like any other: only four words are reserved'),
        t.slugs('api is an address like any other: only four words are reserved'),
        t.create('a valid create keeps the slug constructor as typed'),
      ],
    },
  },
  {
    title: 'Status',
    statements: {
      'status-endpoint': [
        'POST /smartlink/status with id and status pauses and activates',
        t.status(
          'pauses and activates: the answer is the smartlink with its new ETag, and so is the next fetch',
        ),
        t.status('another spelling is refused'),
        t.status('nothing is refused'),
      ],
      'status-patch': [
        'PATCH ignores status',
        t.patch(
          'merging fields outside the schema are ignored: status, userId, analytics, version, ids inside',
        ),
      ],
      'status-unsafe': [
        'Before a link goes on its URLs are checked again',
        t.urlSafety(
          'before a paused link goes on all its URLs are checked again: one judged unsafe keeps it paused',
        ),
      ],
      'status-final': [
        'Deleted is final',
        t.status('an unknown, foreign or deleted link is 404'),
        t.status('Deleted, which DELETE alone makes is refused'),
        t.deletion('leaves nothing to write: PATCH is 404, and the link stays as it was deleted'),
      ],
      'status-counts': [
        'A Paused link counts against the limit of the plan',
        t.status('a paused link leaves the list, counts against the limit and can be changed and deleted'),
        t.conflicts("the plan's limit counts what is Paused and not what is Deleted"),
      ],
      'deleted-reads': [
        'A Deleted link and its figures stay readable to its owner',
        t.deletion(
          'marks the link and erases nothing: it leaves the list and can still be fetched, with its analytics',
        ),
        t.analytics('the figures of a Deleted link stay for its owner'),
      ],
      'deleted-writes': [
        'Writes to a Deleted link are 404',
        t.patch('a deleted smartlink is 404'),
        t.deletion('twice, and of any unknown id, is 404 without details'),
        t.status('an unknown, foreign or deleted link is 404'),
      ],
    },
  },
  {
    title: 'PATCH',
    statements: {
      'patch-merge': [
        'Objects merge field by field',
        t.patchTypes(
          'objects merge field by field, arrays replace whole a field of an object changes alone, at every depth',
        ),
        t.patch('merging changes the members it names and no others'),
      ],
      'patch-arrays': [
        'An array is replaced as one: buttons, categories, what is inside them',
        t.patchTypes(
          'objects merge field by field, arrays replace whole categories, items, variants and badges are replaced with the array that holds them',
        ),
        t.patchTypes(
          'objects merge field by field, arrays replace whole buttons are replaced, [] clears them, and the order is kept',
        ),
      ],
      'patch-empty-array': [
        '[] clears an array',
        t.patchTypes(
          'objects merge field by field, arrays replace whole buttons are replaced, [] clears them, and the order is kept',
        ),
      ],
      'patch-null': [
        'null clears an optional field',
        t.patch('merging null clears what is optional, at every depth'),
        t.patchTypes(
          'objects merge field by field, arrays replace whole null clears a field, and one with a default gets it back',
        ),
      ],
      'patch-null-required': [
        'null on a required field is a fault',
        t.patch('merging null is a fault on what is required, and nothing is written'),
      ],
      'patch-unknown-depth': [
        'What nobody knows is ignored, however deep it stands',
        t.patch(
          'merging fields outside the schema are ignored: status, userId, analytics, version, ids inside',
        ),
      ],
      'patch-whole': [
        'All of the merged document is checked, and a fault anywhere leaves the link as it was',
        t.patch('merging null is a fault on what is required, and nothing is written'),
        t.patchTypes(
          'objects merge field by field, arrays replace whole a fault in one button refuses the whole patch, at its path',
        ),
      ],
      'patch-updated-at': [
        'updatedAt moves when something changed, and only then',
        t.patch('merging changes the members it names and no others'),
        t.patch(
          'what moves only the id, or the same values again, change nothing: no version, no time, no outbox row',
        ),
      ],
      'patch-type': [
        'A PATCH may change the type if what it leaves satisfies the new one',
        t.patchTypes(
          'a change of type is refused without what the new type requires, and for a type that there is not',
        ),
        t.patchTypes(
          'a change of type keeps what the old type had: it is not returned, and comes back with the type, password and all',
        ),
      ],
      'patch-type-content': [
        'What the former type had is kept and hidden until the type returns',
        t.patchTypes(
          'a change of type keeps what the old type had: it is not returned, and comes back with the type, password and all',
        ),
      ],
      etag: [
        'The ETag is the row’s version in quotes, on what reads or writes one smartlink',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
        t.read('a fetch shows a link in any status, with its ETag and its own address'),
        t.patch(
          'what moves a change moves version and updatedAt, and says in the audit log which members, not what',
        ),
        t.status(
          'pauses and activates: the answer is the smartlink with its new ETag, and so is the next fetch',
        ),
      ],
      'if-match': [
        'If-Match may be given with PATCH; another version is 412 PRECONDITION_FAILED',
        t.patch('If-Match takes the present ETag, a list with it, and *; refuses any other with 412'),
        t.patch('If-Match of two patches at once with the same ETag exactly one is written'),
        t.patch('If-Match without it, patches at once of different members all hold'),
      ],
      'no-304': ['Reads of the API are never 304', t.read('a fetch has no 304')],
    },
  },
  {
    title: 'List',
    statements: {
      'list-default': [
        'Without parameters it is the whole array, newest first, Active only',
        t.read('the list without parameters is every Active link, newest first, in one array'),
        t.totals('a page of more than a hundred links still carries every total'),
      ],
      'list-limit': [
        'limit is 1 to 100',
        t.read('the list in pages of 1 is whole, without repeats, and keeps its filter'),
        t.read('the list in pages of 100 is whole, without repeats, and keeps its filter'),
        t.read('the list limit=0 is 400 at its name'),
        t.read('the list limit=101 is 400 at its name'),
      ],
      'list-cursor': [
        'cursor goes on where a page ended',
        t.read('the list in pages of 3 is whole, without repeats, and keeps its filter'),
        t.read('the list cursor=x is 400 at its name'),
      ],
      'list-status': [
        'status is Active, Paused, Deleted or all',
        t.read('the list by status, type and text'),
        t.read('the list status=active is 400 at its name'),
      ],
      'list-type': [
        'type is one of the seven',
        t.read('the list by status, type and text'),
        t.read('the list type=url is 400 at its name'),
      ],
      'list-q': ['q looks for a text', t.read('the list by status, type and text')],
      'list-paging': [
        'data is an array in pages too, and the next page is named by Link (rel="next") and by X-Next-Cursor',
        t.read('the list in pages of 3 is whole, without repeats, and keeps its filter'),
        t.read('the list without parameters is every Active link, newest first, in one array'),
      ],
    },
  },
  {
    title: 'Idempotency',
    statements: {
      'idempotency-replay': [
        'With an Idempotency-Key the first answer to a create is given again',
        t.idempotency('a repeated create is answered as the first, byte for byte, and makes nothing'),
        t.idempotency('20 creates at once with one key on two processes make one link and get one answer'),
      ],
      'idempotency-day': ['It is given again for 24 hours', t.idempotency('after 24 hours a key is new')],
      'idempotency-reused': [
        'A key that comes with a different body is 409 IDEMPOTENCY_KEY_REUSED',
        t.idempotency('the same key with another body is 409'),
      ],
    },
  },
];
