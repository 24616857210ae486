#!/usr/bin/env bash
#: Installs Emacs 30 or later if it is missing. It is the first that Debian packages with inlay hints; Debian 12 has it in
#: its backports (55 s, 175 MB). They are added for this one installation, from the mirror that the machine uses: its own
#: list of sources stays as it is. If there is no such Emacs, the test of Emacs is left out.
. "$(dirname "$0")/../../../.dev/common.sh"

# source_like CODENAME SUITE FILE...: the package source in FILE... that has the distribution's release CODENAME, rewritten
# for its SUITE with the same mirror, keys and options. It is a line of sources.list or a deb822 paragraph, as the source
# is; nothing if there is no such source. An address that names debian comes first: others have suites of that name, too.
source_like() {
  awk -v codename="$1" -v suite="$2" '
    function has(words, word) { gsub(/[ \t]+/, " ", words); return index(" " words " ", " " word " ") }
    function offer(source, address) {
      if (first == "") first = source
      if (debian == "" && address ~ /debian/) debian = source
    }
    function end_paragraph() {
      if (has(value["types"], "deb") && !has(tolower(value["enabled"]), "no") && has(value["suites"], codename) &&
          has(value["components"], "main"))
        offer("Types: deb\nSuites: " suite "\nComponents: main\n" others, value["uris"])
      split("", value)
      others = ""
    }
    FNR == 1 { end_paragraph(); deb822 = FILENAME ~ /[.]sources$/ }
    /^[ \t]*#/ { next }
    deb822 && /^[ \t]*$/ { end_paragraph(); next }
    deb822 {
      text = $0
      if (text ~ /^[^ \t]/) {
        field = tolower(substr(text, 1, index(text, ":") - 1))
        sub(/^[^:]*:/, "", text)
      }
      value[field] = value[field] " " text
      if (field !~ /^(types|suites|components|enabled)$/) others = others $0 "\n"
      next
    }
    $1 == "deb" {
      options = ""
      sub(/^[ \t]*deb[ \t]+/, "")
      sub(/[ \t]#.*/, "")
      if (/^\[/) { options = substr($0, 1, index($0, "]")) " "; $0 = substr($0, index($0, "]") + 1) }
      address = $1; release = $2; $1 = $2 = ""
      if (release == codename && has($0, "main")) offer("deb " options address " " suite " main\n", address)
    }
    END { end_paragraph(); printf "%s", debian != "" ? debian : first }' "${@:3}"
}

leave_out() { say "$1: the test of Emacs is left out"; exit; }

version=$(emacs --batch -Q --eval '(princ emacs-major-version)' 2>/dev/null || echo 0)
[ "$version" -lt 30 ] || exit 0
is_debian || leave_out "Emacs 30 is missing"
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
suite=$codename-backports
mapfile -t files < <(find /etc/apt/sources.list /etc/apt/sources.list.d -maxdepth 1 -name '*.list' -o -name '*.sources' \
  2>/dev/null | sort)
source=$(source_like "$codename" "$suite" "${files[@]}" </dev/null)
[ -n "$source" ] || leave_out "no package source of $codename"

say "installing emacs-nox from $suite"
sources=$(mktemp -d)
log=$(mktemp)
trap 'rm -rf "$sources" "$log"' EXIT
cp -r /etc/apt/sources.list.d/. "$sources"
case $source in
deb\ *) echo "$source" >"$sources/mca-backports.list" ;;
*) echo "$source" >"$sources/mca-backports.sources" ;;
esac
{ as_root apt-get -o "Dir::Etc::SourceParts=$sources" update -qq &&
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o "Dir::Etc::SourceParts=$sources" install -y -qq \
    --no-install-recommends -t "$suite" emacs-nox; } >"$log" 2>&1 || { tail -n 5 "$log" >&2; leave_out "Emacs 30 cannot be installed"; }
