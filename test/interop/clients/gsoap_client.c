/* Calls all operations through code that gSOAP made from the WSDLs for one SOAP version; prints one JSON object.
   Arguments: SOAP version, PDF. */
#include "soapH.h"
#include "PracticeServiceSoap.nsmap"

static struct soap *soap;

static void text(const char *name, const char *value)
{
  printf("\"%s\":", name);
  if (!value)
    printf("null");
  else {
    putchar('"');
    for (; *value; value++)
      if (*value == '"' || *value == '\\')
        printf("\\%c", *value);
      else if ((unsigned char)*value < 32)
        printf("\\u%04x", *value);
      else
        putchar(*value);
    putchar('"');
  }
  putchar(',');
}

static void must(int error)
{
  if (!error)
    return;
  soap_print_fault(soap, stderr);
  exit(1);
}

/* A request with the credentials in it, and an empty response, as q and r. */
#define WITH(op) \
  struct _ns1__##op q = {0}; \
  struct _ns1__##op##Response r = {0};
#define KEYS q.apiKey = getenv("API_KEY"), q.apiSig = getenv("API_SIG")
#define TEXTS q.DocumentName = "Mietvertrag & Anlage <\xc3\xbc>.pdf", q.Description = "two\nlines", q.ClientID = "C-7"
#define SIGNING \
  q.Emails = "ada@example.com", q.Names = "Ada", q.XMLData = "<a>1</a>", q.UniqueID = "U", \
  q.AllowSignerElementAdd = xsd__boolean__true_, q.AdditionalImage.__ptr = (unsigned char *)"\x89PNG", \
  q.AdditionalImage.__size = 4, q.EnforceSigClick = xsd__boolean__true_, q.MessageToSigners = "m", \
  q.CustomSubject = "s", q.CCEmails = "cc@example.com"
#define SEND(op, address) soap_call___ns1__##op(soap, address, NULL, &q, &r)

static unsigned char bytes[1 << 20];

int main(int argc, char **argv)
{
  const char *main_address = getenv("MAIN_ADDRESS"), *easy_address = getenv("EASY_SIGN_ADDRESS");
  FILE *file = fopen(argv[argc - 1], "rb");
  int size = (int)fread(bytes, 1, sizeof bytes, file);
  char *id;
  struct xsd__base64Binary sealed;
  /* Everything received stays until the end. */
  soap = soap_new1(SOAP_C_UTFSTRING);
  soap_set_namespaces(soap, namespaces);
  putchar('{');
  { WITH(GetVersion) must(SEND(GetVersion, main_address)); text("version", r.GetVersionResult); }
  { WITH(GetSchedule) must(SEND(GetSchedule, main_address)); text("schedule", r.GetScheduleResult); }
  { WITH(GetAuthToken) KEYS; must(SEND(GetAuthToken, main_address)); text("token", r.GetAuthTokenResult); }
  { WITH(AddNewDocument) KEYS, TEXTS; q.Document.__ptr = bytes, q.Document.__size = size, q.creditType = 1;
    must(SEND(AddNewDocument, main_address)); text("id", id = r.AddNewDocumentResult); }
  { WITH(GetDocumentStatus) KEYS; q.ServiceDocumentID = id;
    must(SEND(GetDocumentStatus, main_address)); text("status", r.GetDocumentStatusResult); }
  { WITH(GetDocument) KEYS; q.ServiceDocumentID = id;
    must(SEND(GetDocument, main_address)); sealed = r.GetDocumentResult;
    text("document", soap_s2base64(soap, sealed.__ptr, NULL, sealed.__size)); }
  { WITH(GetDocumentDetails) KEYS; q.ServiceDocumentID = id;
    must(SEND(GetDocumentDetails, main_address));
    printf("\"details\":{");
    text("DocumentName", r.GetDocumentDetailsResult->DocumentName);
    text("Description", r.GetDocumentDetailsResult->Description);
    text("ClientID", r.GetDocumentDetailsResult->ClientID);
    text("Pages", r.GetDocumentDetailsResult->Pages);
    printf("\"Errors\":%d},", r.GetDocumentDetailsResult->Errors); }
  { WITH(ValidateDocument) KEYS; q.ServiceDocument.__ptr = sealed.__ptr, q.ServiceDocument.__size = sealed.__size;
    must(SEND(ValidateDocument, main_address)); text("validated", r.ValidateDocumentResult); }
  { WITH(AddNewDocumentESign) KEYS, TEXTS; q.Document.__ptr = bytes, q.Document.__size = size, q.creditType = 2;
    q.Emails = "ada@example.com;bo@example.com", q.ReqOwnerESign = xsd__boolean__true_, q.SecretWord = "heron";
    must(SEND(AddNewDocumentESign, main_address)); text("requestId", r.AddNewDocumentESignResult); }
  { WITH(GetESignList) KEYS; q.ListType = 1, q.MaxItems = 2;
    must(SEND(GetESignList, main_address));
    int listed = 0, nil = 0;
    printf("\"list\":[");
    for (int at = 0; at < r.GetESignListResult->__sizeESignList; at++) {
      struct ns1__ESignList *entry = &r.GetESignListResult->ESignList[at];
      if (!entry->ServiceDocumentID && ++nil)
        continue;
      printf(listed++ ? ",{" : "{");
      text("id", entry->ServiceDocumentID), text("email", entry->Email), text("secret", entry->SecretWord);
      printf("\"year\":%d}", gmtime(&entry->CreatedDate)->tm_year + 1900);
    }
    printf("],\"nilEntries\":%d,", nil); }
  { WITH(GetESignList) KEYS; q.ListType = 2, q.MaxItems = 2;
    must(SEND(GetESignList, main_address));
    printf("\"emptyList\":%d,", r.GetESignListResult->__sizeESignList); }
  { WITH(AddQuickNote) KEYS; q.QuickNoteMessage = "hello", q.description = "from gSOAP";
    must(SEND(AddQuickNote, main_address)); text("note", r.AddQuickNoteResult); }
  { WITH(AddNewEasySignDocument) KEYS, TEXTS, SIGNING; q.Document.__ptr = bytes, q.Document.__size = size;
    q.ElementsFromTemplateID = "TPL-1001";
    must(SEND(AddNewEasySignDocument, easy_address)); text("easyId", r.AddNewEasySignDocumentResult); }
  { WITH(AddNewEasySignTemplate) KEYS, TEXTS, SIGNING; q.TemplateID = "TPL-1002";
    must(SEND(AddNewEasySignTemplate, easy_address)); text("easyUrl", r.AddNewEasySignTemplateResult); }
  { WITH(GetDocumentStatus) q.apiKey = q.apiSig = "wrong", q.ServiceDocumentID = id;
    must(SEND(GetDocumentStatus, main_address)); text("refused", r.GetDocumentStatusResult); }
  { WITH(AddNewEasySignTemplate) KEYS;
    /* An operation of the other path: the only fault that code made from the description can provoke. */
    if (SEND(AddNewEasySignTemplate, main_address) == SOAP_OK)
      return 1;
    text("fault", *soap_faultstring(soap)); }
  printf("\"by\":\"gSOAP\"}");
  return 0;
}
