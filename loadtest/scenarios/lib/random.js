/**
 * Returns numbers from 0 up to 1 that are the same for the same seed and visit, whichever virtual user draws them: a
 * hash of both begins a Weyl sequence whose steps are mixed as MurmurHash3 ends (its fmix32).
 */
export function drawsOf(seed, visit) {
  let state = mix(mix(seed) ^ mix(visit + 0x9e3779b9));
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return (mix(state) >>> 0) / 4_294_967_296;
  };
}

function mix(value) {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
