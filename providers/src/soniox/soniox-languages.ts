/** What Soniox lists for its models, as ISO 639-1 codes. */
export const SONIOX_LANGUAGES: readonly string[] =
  "af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr gl gu he hi hr hu id it ja kk kn ko lt lv mk ml mr ms nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh".split(
    " ",
  );
