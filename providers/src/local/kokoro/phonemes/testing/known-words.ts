/**
 * Words and how they are said, in broad IPA: the stress stands before its vowel, a long consonant is written twice, and variants of a sound that
 * do not distinguish words are not written. Compiled by hand and before the rules, so that the rules are tested against something else than
 * themselves.
 */
export const SPANISH_WORDS = pairs(`
  hola ˈola, buenos bwˈenos, días dˈias, tardes tˈaɾdes, llamada ʎamˈada, teléfono telˈefono, cita θˈita, mañana maɲˈana,
  jueves xwˈebes, viernes bjˈeɾnes, miércoles mjˈeɾkoles, sábado sˈabado, domingo domˈinɡo, gracias ɡɾˈaθjas, perdone peɾdˈone,
  usted ustˈed, señora seɲˈoɾa, doctor doktˈoɾ, farmacia faɾmˈaθja, hospital ospitˈal, confirmar konfiɾmˈaɾ, número nˈumeɾo,
  quince kˈinθe, veintidós beintidˈos, cuarenta kwaɾˈenta, guerra ɡˈera, pingüino pinɡwˈino, queso kˈeso, jirafa xiɾˈafa,
  general xeneɾˈal, perro pˈero, pero pˈeɾo, rosa rˈosa, alrededor alrededˈoɾ, honra ˈonra, ciudad θjudˈad, averiguar abeɾiɡwˈaɾ,
  país paˈis, maíz maˈiθ, examen eksˈamen, taxi tˈaksi, México mˈexiko, chocolate tʃokolˈate, muchacho mutʃˈatʃo, yo jˈo,
  ayer ajˈeɾ, hoy ˈoi, ley lˈei, rey rˈei, aeropuerto aeɾopwˈeɾto, causa kˈausa, Europa euɾˈopa, oigo ˈoiɡo, baile bˈaile,
  huevo wˈebo, hielo jˈelo, cigüeña θiɡwˈeɲa, excelente eksθelˈente, acción akθjˈon, reunión reunjˈon, enero enˈeɾo,
  agosto aɡˈosto, septiembre septjˈembɾe, examinar eksaminˈaɾ, corazón koɾaθˈon, árbol ˈaɾbol, reloj relˈox, carnet kaɾnˈet,
  vehículo beˈikulo, ahora aˈoɾa, búho bˈuo, González ɡonθˈaleθ, Rodríguez rodɾˈiɡeθ, Jiménez ximˈeneθ, García ɡaɾθˈia,
  Guillermo ɡiʎˈeɾmo, Miguel miɡˈel, psicólogo sikˈoloɡo, fácilmente faθilmˈente, inyección injekθjˈon
`);

export const FRENCH_WORDS = pairs(`
  bonjour bɔ̃ʒˈuʁ, madame madˈam, monsieur məsjˈø, merci mɛʁsˈi, rendez ʁɑ̃dˈe, demain dəmˈɛ̃, lundi lœ̃dˈi, mardi maʁdˈi,
  mercredi mɛʁkʁədˈi, jeudi ʒødˈi, vendredi vɑ̃dʁədˈi, samedi samdˈi, dimanche dimˈɑ̃ʃ, janvier ʒɑ̃vjˈe, février fevʁijˈe, août ˈut,
  septembre sɛptˈɑ̃bʁ, heure ˈœʁ, minutes minˈyt, médecin medsˈɛ̃, docteur dɔktˈœʁ, pharmacie faʁmasˈi, téléphone telefˈɔn,
  numéro nymeʁˈo, appeler aplˈe, plaît plˈɛ, confirmer kɔ̃fiʁmˈe, femme fˈam, fille fˈij, ville vˈil, travail tʁavˈaj, œil ˈœj,
  feuille fˈœj, bouteille butˈɛj, grenouille ɡʁənˈuj, beaucoup bokˈu, eau ˈo, château ʃatˈo, hôpital opitˈal, cinq sˈɛ̃k, six sˈis,
  huit ɥˈit, dix dˈis, vingt vˈɛ̃, quatre kˈatʁ, soixante swasˈɑ̃t, question kɛstjˈɔ̃, attention atɑ̃sjˈɔ̃, garçon ɡaʁsˈɔ̃, gagner ɡaɲˈe,
  guitare ɡitˈaʁ, orange oʁˈɑ̃ʒ, pigeon piʒˈɔ̃, chien ʃjˈɛ̃, bien bjˈɛ̃, loin lwˈɛ̃, point pwˈɛ̃, nuit nɥˈi, oui wˈi, trois tʁwˈa,
  voiture vwatˈyʁ, maison mɛzˈɔ̃, poisson pwasˈɔ̃, examen ɛɡzamˈɛ̃, taxi taksˈi, parlent pˈaʁl, longtemps lɔ̃tˈɑ̃, temps tˈɑ̃, corps kˈɔʁ,
  hiver ivˈɛʁ, parler paʁlˈe, mer mˈɛʁ, chef ʃˈɛf, clé klˈe, nez nˈe, neuf nˈœf, deux dˈø, second səɡˈɔ̃, monnaie mɔnˈɛ, pays peˈi,
  Noël nɔˈɛl, maïs maˈis, Philippe filˈip, Jean ʒˈɑ̃, Martin maʁtˈɛ̃, Dupont dypˈɔ̃, Lefebvre ləfˈɛvʁ, sœur sˈœʁ, bœuf bˈœf, compte kˈɔ̃t,
  sculpture skyltˈyʁ, automne otˈɔn, secrétaire səkʁetˈɛʁ, orchestre ɔʁkˈɛstʁ, technique tɛknˈik, payer pɛjˈe, essayer ɛsɛjˈe,
  gentil ʒɑ̃tˈi, outil utˈi, tabac tabˈa, lac lˈak, franc fʁˈɑ̃, mille mˈil, tranquille tʁɑ̃kˈil, juin ʒɥˈɛ̃, parfum paʁfˈœ̃, album albˈɔm,
  rien ʁjˈɛ̃, message mesˈaʒ, assistant asistˈɑ̃, automatique otomatˈik, enregistré ɑ̃ʁəʒistʁˈe, problème pʁɔblˈɛm, désolé dezɔlˈe,
  français fʁɑ̃sˈɛ, gens ʒˈɑ̃, immeuble imˈœbl, nous nˈu, fermé fɛʁmˈe, sens sˈɑ̃s, fils fˈis, client klijˈɑ̃, patience pasjˈɑ̃s
`);

export const ITALIAN_WORDS = pairs(`
  buongiorno bwondʒˈorno, grazie ɡrˈattsje, prego prˈeɡo, appuntamento appuntamˈento, domani domˈani, lunedì lunedˈi, giovedì dʒovedˈi,
  sabato sˈabato, domenica domˈenika, gennaio dʒennˈajo, febbraio febbrˈajo, luglio lˈuʎo, giugno dʒˈuɲo, agosto aɡˈosto,
  settembre settˈembre, telefono telˈefono, numero nˈumero, medico mˈediko, farmacia farmatʃˈia, ospedale ospedˈale, chiamare kjamˈare,
  chiesa kjˈeza, ciao tʃˈao, cena tʃˈena, cinque tʃˈinkwe, gelato dʒelˈato, ghiaccio ɡjˈattʃo, spaghetti spaɡˈetti, gnocchi ɲˈokki,
  famiglia famˈiʎa, figlio fˈiʎo, scena ʃˈena, scuola skwˈola, schema skˈema, pesce pˈeʃe, pizza pˈittsa, zero dzˈero,
  ragazzo raɡˈattso, mezzo mˈeddzo, anziano antsjˈano, stazione stattsjˈone, città tʃittˈa, perché perkˈe, università universitˈa,
  caffè kaffˈe, quattro kwˈattro, otto ˈotto, uovo wˈovo, qualcuno kwalkˈuno, acqua ˈakkwa, rosa rˈoza, sbaglio zbˈaʎo,
  svizzera zvˈittsera, possibile possˈibile, difficile diffˈitʃile, facile fˈatʃile, piacere pjatʃˈere, signora siɲˈora, dottore dottˈore,
  Giovanni dʒovˈanni, Giuseppe dʒuzˈeppe, Luigi luˈidʒi, Maria marˈia, Lucia lutʃˈia, Rossi rˈossi, Esposito espˈozito,
  ventidue ventidˈue, trentatré trentatrˈe, quindici kwˈinditʃi, undici ˈunditʃi, mille mˈille, cento tʃˈento, euro ˈeuro,
  orario orˈarjo, conferma konfˈerma, aiuto ajˈuto, oggi ˈoddʒi, ieri jˈeri, sì sˈi, macchina mˈakkina, giacca dʒˈakka,
  chiamata kjamˈata, registrata redʒistrˈata, assistente assistˈente, automatico automˈatiko, problema problˈema, musica mˈuzika,
  subito sˈubito, lasciare laʃˈare, guerra ɡwˈerra, lingua lˈinɡwa, unghia ˈunɡja
`);

export const PORTUGUESE_WORDS = pairs(`
  bom bˈõ, dia dʒˈia, obrigado obɾiɡˈadu, manhã maɲˈã, amanhã amaɲˈã, segunda seɡˈũda, terça tˈeɾsa, quarta kwˈaɾta,
  quinta kˈĩta, sexta sˈesta, sábado sˈabadu, domingo domˈĩɡu, janeiro ʒanˈejɾu, julho ʒˈuʎu, dezembro dezˈẽbɾu, telefone telefˈoni,
  número nˈumeɾu, médico mˈedʒiku, farmácia faɾmˈasja, hospital ospitˈaw, confirmar kõfiɾmˈaɾ, chamar ʃamˈaɾ, não nˈãw, sim sˈĩ,
  coração koɾasˈãw, pão pˈãw, mãe mˈãj, põe pˈõj, dois dˈojs, três tɾˈes, quatro kwˈatɾu, cinco sˈĩku, oito ˈojtu, vinte vˈĩtʃi,
  trinta tɾˈĩta, cidade sidˈadʒi, gente ʒˈẽtʃi, tarde tˈaɾdʒi, noite nˈojtʃi, rua hˈua, carro kˈahu, caro kˈaɾu, casa kˈaza,
  passar pasˈaɾ, exame ezˈami, táxi tˈaksi, caixa kˈajʃa, peixe pˈejʃi, filho fˈiʎu, vinho vˈiɲu, quando kwˈãdu, quem kˈẽj,
  queijo kˈejʒu, guerra ɡˈeha, água ˈaɡwa, língua lˈĩɡwa, Brasil bɾazˈiw, português poɾtuɡˈes, mulher muʎˈeɾ, senhor seɲˈoɾ,
  senhora seɲˈoɾa, João ʒuˈãw, Silva sˈiwva, José ʒozˈe, hoje ˈoʒi, ontem ˈõtẽj, também tãbˈẽj, problema pɾoblˈema,
  assistente asistˈẽtʃi, ligação liɡasˈãw, gravada ɡɾavˈada, horário oɾˈaɾju, euro ˈewɾu, real heˈaw, reais heˈajs, mês mˈes,
  feliz felˈis, aqui akˈi, você vosˈe, automático awtomˈatʃiku, minutos minˈutus, nove nˈovi
`);

/** Pairs of a word and its pronunciation, separated by commas. */
function pairs(list: string): readonly (readonly [word: string, ipa: string])[] {
  return list
    .split(",")
    .map((pair) => pair.trim().split(/\s+/))
    .map(([word = "", ipa = ""]) => [word, ipa] as const);
}
